import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Project, updateProject } from '#contract/projects.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Hosts beside the project's own on which the widget works too. */
export function ProjectDomains({ project }: { project: Project }) {
  const { organization, can } = useOrganization()
  const queryClient = useQueryClient()
  const [text, setText] = useState(project.extraOrigins.join('\n'))
  const saving = useMutation({
    mutationFn: () =>
      call(updateProject, {
        params: { organizationId: organization.id, projectId: project.id },
        body: { extraOrigins: text.split(/[\s,]+/).filter((host) => host !== '') },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectsQuery(organization.id).queryKey })
      toast({ title: 'Saved', tone: 'success' })
    },
  })
  const hasChanged = text.trim() !== project.extraOrigins.join('\n')
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Field
        label="Additional domains"
        hint={`One domain per line. ${project.domain}, its subdomains and localhost always work. Feedback from localhost is marked as a test.`}
        error={saving.error ? explain(saving.error) : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            spellCheck={false}
            className="font-mono"
            placeholder="staging.example.net"
            disabled={!can('manage_projects')}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              saving.reset()
            }}
          />
        )}
      </Field>
      {can('manage_projects') && (
        <Button
          type="submit"
          variant="secondary"
          className="self-start"
          disabled={!hasChanged}
          loading={saving.isPending}
        >
          Save domains
        </Button>
      )}
    </form>
  )
}

function explain(error: Error): string {
  if (!(error instanceof ApiError)) return error.message
  const field = error.problem.fields?.find(({ path }) => path.startsWith('body.extraOrigins'))
  return field ? `A host name ${field.message}` : error.message
}
