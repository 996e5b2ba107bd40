import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { AnalyticsReport } from './analytics-report.tsx'
import { type AnalyticsSearch, readAnalyticsSearch, writeAnalyticsSearch } from './analytics-search.ts'
import { PeriodBar } from './period-bar.tsx'

/** The whole organisation's numbers, or those of some projects. The address holds what is chosen. */
export default function AnalyticsScreen() {
  const { organization } = useOrganization()
  const projects = useQuery(projectsQuery(organization.id))
  const [search, change] = useAnalyticsSearch()
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-8 md:px-8 md:py-10">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="font-semibold text-2xl">Analytics</h1>
        <PeriodBar search={search} projects={projects.data ?? []} onChange={change} />
      </div>
      <AnalyticsReport search={search} />
    </div>
  )
}

/** One project's numbers, within its own screen. */
export function ProjectAnalytics({ projectId }: { projectId: string }) {
  const [search, change] = useAnalyticsSearch()
  const own = { ...search, projects: [projectId] }
  return (
    <section aria-labelledby="project-analytics" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="project-analytics" className="font-semibold text-xl">
          Analytics
        </h2>
        <PeriodBar search={own} onChange={(next) => change({ ...next, projects: [] })} />
      </div>
      <AnalyticsReport search={own} />
    </section>
  )
}

function useAnalyticsSearch(): [search: AnalyticsSearch, change: (next: AnalyticsSearch) => void] {
  const [params, setParams] = useSearchParams()
  const change = (next: AnalyticsSearch) =>
    setParams(new URLSearchParams(writeAnalyticsSearch(next)), { preventScrollReset: true })
  return [readAnalyticsSearch(params, new Date()), change]
}
