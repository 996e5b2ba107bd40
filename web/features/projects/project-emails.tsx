import type { Project } from '#contract/projects.ts'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useProjectChange } from './use-project-change.ts'

/** Which emails visitors of a project get by themselves. Replies are sent by hand. */
export function ProjectEmails({ project }: { project: Project }) {
  const change = useProjectChange(project)
  const set = (emailsOnResolve: boolean) =>
    change.mutate(
      { emailsOnResolve },
      {
        onSuccess: () =>
          toast({
            title: emailsOnResolve ? 'Visitors are emailed about resolved feedback' : 'Visitors are no longer emailed',
            tone: 'success',
          }),
        onError: (error) => toast({ title: error.message, tone: 'danger' }),
      },
    )
  return (
    <SwitchRow
      label="Email visitors when their feedback is resolved"
      hint="Once for each item, to visitors who left an address. Not for spam and imported items."
      checked={change.isPending ? change.variables.emailsOnResolve === true : project.emailsOnResolve}
      onChange={set}
    />
  )
}
