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
import { describeLine, findListProblems, listHosts } from './typed-domains.ts'

const fewestRows = 3
const mostRows = 12

/** Hosts beside the project's own on which the widget works too. */
export function ProjectDomains({ project }: { project: Project }) {
  const { can } = useOrganization()
  const [text, setText] = useState(project.extraOrigins.join('\n'))
  const [problems, setProblems] = useState<readonly string[]>([])
  const saving = useSaveDomains(project.id, setProblems)
  const hosts = listHosts(text)
  const save = () => {
    setText(hosts.join('\n'))
    const found = findListProblems(hosts)
    setProblems(found)
    if (found.length === 0) saving.mutate(hosts)
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field
        label="Additional domains"
        hint={`One domain per line. Paste any URL; we’ll keep the domain. ${project.domain}, its subdomains and localhost always work. Feedback from localhost is marked as a test.`}
        error={problems.length > 0 ? problems.join('\n') : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={Math.min(Math.max(hosts.length, fewestRows), mostRows)}
            spellCheck={false}
            className="font-mono"
            placeholder="staging.example.net"
            disabled={!can('manage_projects')}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              setProblems([])
            }}
            onBlur={() => setText(hosts.join('\n'))}
          />
        )}
      </Field>
      {can('manage_projects') && (
        <Button
          type="submit"
          variant="secondary"
          className="self-start"
          disabled={hosts.join('\n') === project.extraOrigins.join('\n')}
          loading={saving.isPending}
        >
          Save domains
        </Button>
      )}
    </form>
  )
}

function useSaveDomains(projectId: string, onProblems: (problems: readonly string[]) => void) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (hosts: string[]) =>
      call(updateProject, {
        params: { organizationId: organization.id, projectId },
        body: { extraOrigins: hosts },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectsQuery(organization.id).queryKey })
      toast({ title: 'Saved', tone: 'success' })
    },
    onError: (error, hosts) => onProblems(explain(error, hosts)),
  })
}

/** The refusals of the server, one per host. */
function explain(error: Error, hosts: readonly string[]): string[] {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  const lines = fields.flatMap(({ path, message }) => {
    const [, at] = /^body\.extraOrigins\.(\d+)$/.exec(path) ?? []
    return at === undefined ? [] : [describeLine(hosts, Number(at), `A domain ${message}.`)]
  })
  return lines.length > 0 ? lines : [error.message]
}
