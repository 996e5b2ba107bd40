import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { projectQuery } from './project-query.ts'

const pollMs = 2500

/** Whether the widget was seen on a page; looks again and again until it was. */
export function Detection({ project, watching }: { project: Project; watching: boolean }) {
  const { organization } = useOrganization()
  const { data = project } = useQuery({
    ...projectQuery(organization.id, project.id),
    enabled: watching,
    refetchInterval: ({ state }) => (state.data?.widgetLastLoadedAt ? false : pollMs),
  })
  return (
    <output className="flex items-center gap-2.5 text-base">
      {data.widgetLastLoadedAt === null ? (
        <>
          <Spinner className="text-muted" />
          <span className="text-muted">Waiting for the widget to load on your site…</span>
        </>
      ) : (
        <>
          <CircleCheck aria-hidden="true" className="size-4 text-success-text" />
          <span className="font-medium text-success-text">Widget detected</span>
          <RelativeTime iso={data.widgetLastLoadedAt} className="text-muted text-sm" />
        </>
      )}
    </output>
  )
}
