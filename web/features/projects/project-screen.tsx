import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Code, Inbox, Pencil, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, NavLink, useLocation, useParams, useSearchParams } from 'react-router'
import type { Project } from '#contract/projects.ts'
import type { StorageUsage } from '#contract/quotas.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { storageQuery } from '#web/shared/storage-query.ts'
import { describeUse } from '#web/shared/storage-words.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { cn } from '#web/ui/class-names.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { buildSnippet } from './install-snippets.ts'
import { InstallState } from './install-state.tsx'
import { InstallationModal } from './installation-modal.tsx'
import { ProjectFailure } from './project-failure.tsx'
import { projectQuery } from './project-query.ts'
import { useAppUrl } from './use-app-url.ts'

/**
 * One project. `?install=1` opens the installation guide.
 *
 * @param analytics content of the Analytics tab; without it there are no tabs.
 * @param latest the newest items, once there are any.
 */
export default function ProjectScreen({
  analytics,
  latest,
}: {
  analytics?: (project: Project) => ReactNode
  latest?: (project: Project) => ReactNode
}) {
  const { projectId = '' } = useParams()
  const { organization } = useOrganization()
  const { data: project, error, refetch } = useQuery(projectQuery(organization.id, projectId))

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <BackLink to="/dashboard/projects">Projects</BackLink>
      <title>{`${project?.name ?? 'Project'} · Earshot`}</title>
      {!project && <h1 className="sr-only">Project</h1>}
      {project ? (
        <ProjectDetail
          project={project}
          {...(analytics && { analytics: analytics(project) })}
          {...(latest && project.feedbackCount > 0 && { latest: latest(project) })}
        />
      ) : error ? (
        <ProjectFailure error={error} onRetry={() => refetch()} />
      ) : (
        <ProjectSkeleton />
      )}
    </div>
  )
}

function ProjectDetail({
  project,
  analytics,
  latest,
}: {
  project: Project
  analytics?: ReactNode
  latest?: ReactNode
}) {
  const showsAnalytics = useLocation().pathname.endsWith('/analytics') && analytics !== undefined
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

  return (
    <>
      <ProjectHeader project={project} onInstall={() => setInstalling(true)} />
      {project.archivedAt !== null && (
        <p className="mt-4 rounded-md bg-warning-soft px-4 py-3 text-base text-warning-text">
          Archived <RelativeTime iso={project.archivedAt} />: the widget shows on no page, and nothing new comes in.
          Existing items stay in the inbox.
        </p>
      )}
      {analytics !== undefined && <ProjectTabs project={project} />}
      {showsAnalytics ? (
        <div className="mt-6">{analytics}</div>
      ) : (
        <div className="mt-6 grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
          <div className="flex min-w-0 flex-col gap-6">
            {project.widgetLastLoadedAt !== null && latest}
            <SnippetCard project={project} onOpenGuide={() => setInstalling(true)} />
            {project.widgetLastLoadedAt === null && latest}
          </div>
          <Facts project={project} />
        </div>
      )}
      <InstallationModal project={project} open={search.has('install')} onOpenChange={setInstalling} />
    </>
  )
}

function ProjectHeader({ project, onInstall }: { project: Project; onInstall: () => void }) {
  const { can } = useOrganization()
  return (
    <header className="mt-4 flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-2xl" dir="auto">
            {project.name}
          </h1>
          {project.archivedAt === null ? <InstallState project={project} /> : <Badge tone="warning">Archived</Badge>}
        </div>
        <a
          href={`https://${project.domain}`}
          target="_blank"
          rel="noopener nofollow"
          className="inline-flex max-w-full items-center gap-1 self-start rounded-sm text-base text-muted hover:text-foreground"
        >
          <span className="truncate">{project.domain}</span>
          <ArrowUpRight aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      </div>
      <div className="flex flex-wrap gap-2">
        {can('manage_projects') && (
          <Button asChild variant="secondary">
            <Link to={`/dashboard/projects/${project.id}/edit`}>
              <Pencil aria-hidden="true" />
              Edit
            </Link>
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link to={`/dashboard/projects/${project.id}/widget`}>
            <SlidersHorizontal aria-hidden="true" />
            Widget
          </Link>
        </Button>
        <Button variant="secondary" onClick={onInstall}>
          <Code aria-hidden="true" />
          Installation
        </Button>
        <Button asChild>
          <Link to={`/dashboard/feedback?project=${project.id}`}>
            <Inbox aria-hidden="true" />
            View feedback
          </Link>
        </Button>
      </div>
    </header>
  )
}

function ProjectTabs({ project }: { project: Project }) {
  const home = `/dashboard/projects/${project.id}`
  return (
    <nav aria-label="Project" className="mt-4 flex gap-4 border-border border-b">
      {[
        { to: home, label: 'Overview' },
        { to: `${home}/analytics`, label: 'Analytics' },
      ].map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={({ isActive }) =>
            cn(
              '-mb-px flex h-10 items-center border-b-2 px-1 font-medium text-base',
              isActive ? 'border-accent text-foreground' : 'border-transparent text-muted hover:text-foreground',
            )
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

function SnippetCard({ project, onOpenGuide }: { project: Project; onOpenGuide: () => void }) {
  const isInstalled = project.widgetLastLoadedAt !== null
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>Widget</CardTitle>
        <CardDescription>
          {project.archivedAt !== null
            ? 'Archived: your pages show no button. This is the line that puts it there once it is unarchived.'
            : isInstalled
              ? 'The button is on your pages. This is the line that puts it there.'
              : 'Put this line before the closing </body> tag of your pages, and the button appears.'}
        </CardDescription>
      </CardHeader>
      <CardContent>
        <CodeBlock code={buildSnippet(useAppUrl(), project.widgetKey)} label="Snippet" />
        <Button variant="link" className="mt-3 shrink whitespace-normal text-left" onClick={onOpenGuide}>
          Guides for React, Next.js, Vue, WordPress and Tag Manager
        </Button>
      </CardContent>
    </Card>
  )
}

function Facts({ project }: { project: Project }) {
  const { organization } = useOrganization()
  const { data: storage, error: storageError } = useQuery(storageQuery(organization.id))
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>Details</CardTitle>
      </CardHeader>
      <CardContent className="pt-3">
        <dl className="flex flex-col divide-y divide-border text-base">
          <Fact name="Feedback">
            <Link
              to={`/dashboard/feedback?project=${project.id}`}
              className="rounded-sm text-accent-text underline-offset-4 hover:underline"
            >
              {formatItems(project.feedbackCount)}
            </Link>
          </Fact>
          <Fact name="Last active">
            {project.widgetLastLoadedAt === null ? 'Never' : <RelativeTime iso={project.widgetLastLoadedAt} />}
          </Fact>
          <Fact name="Retention">
            {project.retentionDays === null ? 'Forever' : formatQuantity(project.retentionDays, 'day')}
          </Fact>
          {storage ? (
            <FileSpace projectId={project.id} files={storage.files} />
          ) : (
            !storageError && (
              <Fact name="Files">
                <Skeleton className="h-4 w-28" />
              </Fact>
            )
          )}
          <Fact name="Created">
            <RelativeTime iso={project.createdAt} />
          </Fact>
          <Fact name="Widget key">
            <span className="flex min-w-0 items-center gap-2">
              <code className="truncate font-mono text-sm" title={project.widgetKey}>
                {project.widgetKey}
              </code>
              <CopyButton iconOnly label="Copy widget key" variant="ghost" text={project.widgetKey} />
            </span>
          </Fact>
        </dl>
      </CardContent>
    </Card>
  )
}

/** Storage of the project's files, with a bar where there is a limit. Leads to the storage of all projects. */
function FileSpace({ projectId, files }: { projectId: string; files: StorageUsage['files'] }) {
  const used = files.projects.find((project) => project.projectId === projectId)?.usedBytes ?? 0
  const limit = files.projectLimitBytes
  const text = describeUse(used, limit)
  return (
    <Fact name="Files">
      <Link
        to="/dashboard/settings/storage"
        className="rounded-sm text-accent-text tabular-nums underline-offset-4 hover:underline"
      >
        {text}
      </Link>
      {limit !== null && <Meter label="Files" used={used} limit={limit} text={text} className="mt-1 w-32 ml-auto" />}
    </Fact>
  )
}

function ProjectSkeleton() {
  return (
    <output className="mt-4 block">
      <span className="sr-only">Loading project</span>
      <Skeleton className="my-1 h-5 w-56" />
      <Skeleton className="mt-3 h-4 w-36" />
      <div className="mt-8 grid gap-6 lg:grid-cols-[1fr_20rem]">
        <Skeleton className="h-48 rounded-lg" />
        <Skeleton className="h-56 rounded-lg" />
      </div>
    </output>
  )
}
