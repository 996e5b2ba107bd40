import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useSearchParams } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { findNextStep } from '#web/shared/next-step.tsx'
import { cn } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AnalyticsReport } from './analytics-report.tsx'
import { type AnalyticsSearch, readAnalyticsSearch, writeAnalyticsSearch } from './analytics-search.ts'
import { PeriodBar } from './period-bar.tsx'

/** The whole organisation's numbers, or those of some projects. The address holds what is chosen. */
export default function AnalyticsScreen() {
  const { organization } = useOrganization()
  const projects = useQuery(projectsQuery(organization.id))
  const [search, change] = useAnalyticsSearch()
  const isEmpty = isWithoutData(projects.data)
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-8 md:px-8 md:py-10">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="font-semibold text-2xl">Analytics</h1>
        {/* A menu of projects moves what stands before it. */}
        <div className={cn(projects.isPending && projects.failureCount === 0 && 'invisible')}>
          {!isEmpty && <PeriodBar search={search} projects={projects.data ?? []} onChange={change} />}
        </div>
      </div>
      {isEmpty ? <NoData projects={projects.data} /> : <AnalyticsReport search={search} />}
    </div>
  )
}

/** One project's numbers, within its own screen. */
export function ProjectAnalytics({ projectId }: { projectId: string }) {
  const [search, change] = useAnalyticsSearch()
  const own = { ...search, projects: [projectId] }
  const { organization } = useOrganization()
  const projects = useQuery(projectsQuery(organization.id)).data?.filter(({ id }) => id === projectId)
  const isEmpty = isWithoutData(projects)
  return (
    <section aria-labelledby="project-analytics" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="project-analytics" className="font-semibold text-xl">
          Analytics
        </h2>
        {!isEmpty && <PeriodBar search={own} onChange={(next) => change({ ...next, projects: [] })} />}
      </div>
      {isEmpty ? <NoData projects={projects} /> : <AnalyticsReport search={own} />}
    </section>
  )
}

/** Whether there is nothing to measure: no widget was ever loaded, and no feedback was received otherwise. */
function isWithoutData(projects: readonly Project[] | undefined): boolean {
  return (
    projects?.every(({ feedbackCount, widgetLastLoadedAt }) => feedbackCount === 0 && widgetLastLoadedAt === null) ===
    true
  )
}

function NoData({ projects }: { projects: readonly Project[] | undefined }) {
  const { can } = useOrganization()
  const { text, action } = findNextStep(projects, can('manage_projects'))
  return (
    <EmptyState
      icon={<ChartColumn />}
      title="No data yet"
      action={action}
      className="rounded-xl border border-border border-dashed"
    >
      Charts of feedback, ratings and response times appear here. {text}
    </EmptyState>
  )
}

function useAnalyticsSearch(): [search: AnalyticsSearch, change: (next: AnalyticsSearch) => void] {
  const [params, setParams] = useSearchParams()
  const change = (next: AnalyticsSearch) =>
    setParams(new URLSearchParams(writeAnalyticsSearch(next)), { preventScrollReset: true })
  return [readAnalyticsSearch(params, new Date()), change]
}
