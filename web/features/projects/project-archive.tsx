import { Archive, ArchiveRestore } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useProjectChange } from './use-project-change.ts'

/** Takes a project out of service and back, without losing anything. */
export function ProjectArchive({ project }: { project: Project }) {
  const change = useProjectChange(project)
  const isArchived = project.archivedAt !== null
  const set = (archived: boolean) =>
    change.mutate(
      { archived },
      {
        onSuccess: () =>
          toast({
            title: archived ? 'Project archived' : 'Project unarchived',
            tone: 'success',
            ...(archived && { action: { label: 'Undo', onPress: () => change.mutate({ archived: false }) } }),
          }),
        onError: (error) => toast({ title: error.message, tone: 'danger' }),
      },
    )
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-base text-muted">
        {isArchived
          ? 'Its widget shows on no page, and nothing new comes in. Everything that came before is in the inbox as ever.'
          : 'Its widget disappears from your pages, and nothing new comes in. What you have stays in the inbox, and you can bring the project back at any time.'}
      </p>
      <Button variant="secondary" loading={change.isPending} onClick={() => set(!isArchived)}>
        {isArchived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {isArchived ? 'Unarchive project' : 'Archive project'}
      </Button>
    </div>
  )
}
