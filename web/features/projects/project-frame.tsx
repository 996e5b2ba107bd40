import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Code, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { useFeedbackChanges } from '#web/lib/use-feedback-changes.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TabLinks } from '#web/ui/tab-links.tsx'
import { InstallState } from './install-state.tsx'
import { InstallationModal } from './installation-modal.tsx'
import { ProjectFailure } from './project-failure.tsx'
import { projectQuery } from './project-query.ts'

/** The tabs of a project, by their address below the project's own. */
const tabs = [
  { path: '', label: 'Overview' },
  { path: '/analytics', label: 'Analytics' },
  { path: '/widget', label: 'Widget' },
  { path: '/api-keys', label: 'API keys' },
  { path: '/edit', label: 'Settings' },
] as const

/**
 * The page around every tab of a project: its name, its tabs and the installation guide, which `?install=1` opens. The tab
 * shows at once and reads its own data while the project is read.
 */
export function ProjectFrame({ children }: { children: ReactNode }) {
  const { projectId = '' } = useParams()
  const { organization } = useOrganization()
  const { data: project, error, refetch } = useQuery(projectQuery(organization.id, projectId))
  useFeedbackChanges(organization.id, () => void refetch())
  const home = `/dashboard/projects/${projectId}`
  const { pathname } = useLocation()
  const tab = tabs.find(({ path }) => path !== '' && pathname.endsWith(path))
  const name = project?.name ?? 'Project'
  const [isInstalling, setInstalling] = useInstalling()

  return (
    <div className="mx-auto flex w-full max-w-7xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <BackLink to="/dashboard/projects">Projects</BackLink>
      <title>{`${tab ? `${tab.label} · ` : ''}${name} · Earshot`}</title>
      {!project && <h1 className="sr-only">Project</h1>}
      {error && !project ? (
        <ProjectFailure projectId={projectId} error={error} onRetry={() => refetch()} />
      ) : (
        <>
          <ProjectHeader projectId={projectId} project={project} onInstall={() => setInstalling(true)} />
          <TabLinks label="Project" tabs={tabs.map(({ path, label }) => ({ to: home + path, label }))} />
          {project && project.archivedAt !== null && (
            <p className="mt-4 rounded-md bg-warning-soft px-4 py-3 text-base text-warning-text">
              Archived <RelativeTime iso={project.archivedAt} />: the widget shows on no page, and nothing new comes in.
              Existing items stay in the inbox.
            </p>
          )}
          <div className="mt-6 flex min-h-0 flex-1 flex-col">{children}</div>
          {project && <InstallationModal project={project} open={isInstalling} onOpenChange={setInstalling} />}
        </>
      )}
    </div>
  )
}

/** Of the same height with and without the project. */
function ProjectHeader({
  projectId,
  project,
  onInstall,
}: {
  projectId: string
  project: Project | undefined
  onInstall: () => void
}) {
  return (
    <header className="mt-4 flex flex-wrap items-start justify-between gap-4">
      {project ? (
        <ProjectTitle project={project} />
      ) : (
        <div className="flex flex-col gap-1">
          <Skeleton className="h-8 w-56" />
          <Skeleton className="h-5 w-36" />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={onInstall}>
          <Code aria-hidden="true" />
          Installation
        </Button>
        <Button asChild>
          <Link to={`/dashboard/feedback?project=${projectId}`}>
            <Inbox aria-hidden="true" />
            View feedback
          </Link>
        </Button>
      </div>
    </header>
  )
}

function ProjectTitle({ project }: { project: Project }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 break-words font-semibold text-2xl" dir="auto">
          {project.name}
        </h1>
        {project.archivedAt === null ? <InstallState project={project} /> : <Badge tone="warning">Archived</Badge>}
      </div>
      <a
        href={`https://${project.domain}`}
        target="_blank"
        rel="noopener nofollow"
        className="inline-flex h-5 max-w-full items-center gap-1 self-start rounded-sm text-base text-muted hover:text-foreground"
      >
        <span className="truncate">{project.domain}</span>
        <ArrowUpRight aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    </div>
  )
}

/** Whether the installation guide is open, which the address says. */
function useInstalling(): [isInstalling: boolean, setInstalling: (installing: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const setInstalling = (installing: boolean) =>
    setSearch(
      (current) => {
        if (installing) current.set('install', '1')
        else current.delete('install')
        return current
      },
      { replace: true, preventScrollReset: true },
    )
  return [search.has('install'), setInstalling]
}
