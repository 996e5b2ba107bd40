import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Project, type ProjectChange, updateProject } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { projectQuery } from './project-query.ts'

/** Changes a project; what the server then has is shown everywhere. */
export function useProjectChange(project: Project) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: ProjectChange) =>
      call(updateProject, { params: { organizationId: organization.id, projectId: project.id }, body }),
    networkMode: 'always',
    onSuccess: async (changed) => {
      queryClient.setQueryData(projectQuery(organization.id, project.id).queryKey, changed)
      await queryClient.invalidateQueries({ queryKey: projectsQuery(organization.id).queryKey })
    },
  })
}
