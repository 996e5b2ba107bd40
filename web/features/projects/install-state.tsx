import type { Project } from '#contract/projects.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether the widget was ever seen on a page. */
export function InstallState({ project }: { project: Pick<Project, 'widgetLastLoadedAt'> }) {
  const isInstalled = project.widgetLastLoadedAt !== null
  return (
    <Badge tone={isInstalled ? 'success' : 'neutral'}>
      <span
        aria-hidden="true"
        className={isInstalled ? 'size-1.5 rounded-full bg-current' : 'size-1.5 rounded-full ring-1 ring-current'}
      />
      {isInstalled ? 'Installed' : 'Not installed yet'}
    </Badge>
  )
}
