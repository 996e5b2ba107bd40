import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Project } from '#contract/projects.ts'
import type { StorageUsage } from '#contract/quotas.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { storageQuery } from '#web/shared/storage-query.ts'
import { describeUse } from '#web/shared/storage-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { buildSnippet } from './install-snippets.ts'
import { projectQuery } from './project-query.ts'
import { useAppUrl } from './use-app-url.ts'

/**
 * A project at a glance: the first tab of its page.
 *
 * @param latest the newest items, once there are any.
 */
export function ProjectOverview({ latest }: { latest: (project: Project) => ReactNode }) {
  const { projectId = '' } = useParams()
  const { organization } = useOrganization()
  const { data: project } = useQuery(projectQuery(organization.id, projectId))
  if (!project) return <OverviewSkeleton />
  const items = project.feedbackCount > 0 && latest(project)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <div className="flex min-w-0 flex-col gap-6">
        {project.widgetLastLoadedAt !== null && items}
        <SnippetCard project={project} />
        {project.widgetLastLoadedAt === null && items}
      </div>
      <Facts project={project} />
    </div>
  )
}

function SnippetCard({ project }: { project: Project }) {
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
        <Button asChild variant="link" className="mt-3 shrink whitespace-normal text-left">
          <Link to="?install=1" replace preventScrollReset>
            Guides for React, Next.js, Vue, WordPress and Tag Manager
          </Link>
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

function OverviewSkeleton() {
  return (
    <output className="grid gap-6 lg:grid-cols-[1fr_20rem]">
      <span className="sr-only">Loading project</span>
      <Skeleton className="h-48 rounded-lg" />
      <Skeleton className="h-56 rounded-lg" />
    </output>
  )
}
