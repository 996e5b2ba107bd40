import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { deleteProject, type Project } from '#contract/projects.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { TypedConfirmation } from '#web/ui/typed-confirmation.tsx'
import { projectContentsQuery } from './project-contents-query.ts'
import { projectQuery } from './project-query.ts'

/** Deletes a project once its name was typed. */
export function DeleteProject({ project }: { project: Project }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-base text-muted">
        Deletes the project with its widget, all of its feedback, and every file. This can’t be undone. To stop new
        feedback and keep the old, archive the project instead.
      </p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        Delete project
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Delete this project?">
        <Confirmation project={project} onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function Confirmation({ project, onCancel }: { project: Project; onCancel: () => void }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data } = useQuery(projectContentsQuery(organization.id, project.id))
  const deletion = useMutation({
    mutationFn: (name: string) =>
      call(deleteProject, {
        params: { organizationId: organization.id, projectId: project.id },
        body: { name },
      }).catch((error: unknown) => {
        // Already deleted, by an attempt whose answer was lost or by another member.
        if (!(error instanceof ApiError && error.code === 'project_not_found')) throw error
      }),
    networkMode: 'always',
    onSuccess: async () => {
      await navigate('/dashboard/projects', { replace: true })
      queryClient.removeQueries({ queryKey: projectQuery(organization.id, project.id).queryKey })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: projectsQuery(organization.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: feedbackKey(organization.id) }),
      ])
      toast({ title: 'Project deleted', tone: 'success' })
    },
  })
  return (
    <TypedConfirmation
      phrase={project.name}
      heading="Permanently deleted:"
      losses={[
        `${data ? formatItems(data.items) : 'all'} of feedback, with notes and replies`,
        data ? `${formatQuantity(data.files, 'file', data.limit)} (${formatBytes(data.fileBytes)})` : 'all files',
        `the widget on ${project.domain}`,
      ]}
      action="Delete permanently"
      error={deletion.error}
      isPending={deletion.isPending}
      onConfirm={(typed) => deletion.mutate(typed.trim())}
      onCancel={onCancel}
    />
  )
}
