import { useQuery } from '@tanstack/react-query'
import { FolderPlus, Plus, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { formatItems } from '#web/shared/format-count.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { arrangeProjects, orderNames, type ProjectOrder } from './arrange-projects.ts'
import { InstallState } from './install-state.tsx'

/** Fewer than this are seen at a glance. */
const manyProjects = 7

/** All projects of the organisation. */
export default function ProjectsScreen() {
  const { organization, can } = useOrganization()
  const projects = useQuery(projectsQuery(organization.id))
  const newProject = can('manage_projects') ? (
    <Button asChild>
      <Link to="/dashboard/projects/new">
        <Plus aria-hidden="true" />
        New project
      </Link>
    </Button>
  ) : undefined

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex min-h-9 items-center justify-between gap-4">
        <h1 className="font-semibold text-2xl">Projects</h1>
        {projects.data?.length !== 0 && newProject}
      </header>
      <ProjectsBody projects={projects} newProject={newProject} />
    </div>
  )
}

function ProjectsBody({
  projects,
  newProject,
}: {
  projects: { data: Project[] | undefined; error: Error | null; refetch: () => void }
  newProject: ReactNode
}) {
  if (projects.data === undefined && projects.error) {
    return <LoadFailure title="Couldn’t load projects" error={projects.error} onRetry={() => projects.refetch()} />
  }
  if (projects.data === undefined) return <CardSkeletons />
  if (projects.data.length === 0) {
    return (
      <EmptyState
        icon={<FolderPlus />}
        title="No projects yet"
        action={newProject}
        className="mt-6 flex-1 rounded-xl border border-border border-dashed"
      >
        {newProject
          ? 'A project is a website you collect feedback on. Create the first one, and put one line of code on its pages.'
          : 'A project is a website you collect feedback on. Please ask the owner of your organisation to create one.'}
      </EmptyState>
    )
  }
  return <ProjectList projects={projects.data} />
}

function ProjectList({ projects }: { projects: readonly Project[] }) {
  const [words, setWords] = useState('')
  const [order, setOrder] = useState<ProjectOrder>('name')
  const found = arrangeProjects(projects, words, order)
  const active = found.filter((project) => project.archivedAt === null)
  const archived = found.filter((project) => project.archivedAt !== null)
  return (
    <>
      {projects.length >= manyProjects && (
        <search className="mt-6 flex flex-wrap gap-3">
          <Input
            type="search"
            aria-label="Search projects"
            placeholder="Search by name or domain"
            className="min-w-0 flex-1 basis-48"
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <Select
            aria-label="Sort projects"
            className="w-auto"
            value={order}
            // The options below are the orders.
            onChange={({ currentTarget }) => setOrder(currentTarget.value as ProjectOrder)}
          >
            {Object.entries(orderNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </search>
      )}
      <p className="sr-only" role="status">
        {words.trim() === '' ? '' : `${found.length} found`}
      </p>
      {found.length === 0 && (
        <EmptyState
          icon={<SearchX />}
          title="No projects found"
          action={
            <Button variant="secondary" onClick={() => setWords('')}>
              Clear search
            </Button>
          }
        >
          No project’s name or domain contains “<bdi>{words.trim()}</bdi>”.
        </EmptyState>
      )}
      <Cards projects={active} />
      {archived.length > 0 && (
        <section aria-labelledby="archived-projects" className="mt-10">
          <h2 id="archived-projects" className="font-semibold text-lg">
            Archived
          </h2>
          <p className="text-base text-muted">
            Archived projects accept no new feedback. Existing items stay in the inbox.
          </p>
          <Cards projects={archived} />
        </section>
      )}
    </>
  )
}

function Cards({ projects }: { projects: readonly Project[] }) {
  if (projects.length === 0) return null
  return (
    <ul className="mt-6 grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {projects.map((project) => (
        <li key={project.id} className="flex">
          <ProjectCard project={project} />
        </li>
      ))}
    </ul>
  )
}

function ProjectCard({ project }: { project: Project }) {
  return (
    <Link
      to={`/dashboard/projects/${project.id}`}
      className="flex min-w-0 flex-1 flex-col rounded-lg border border-border bg-surface p-4 dense:p-3 shadow-sm transition-colors hover:border-border-strong"
    >
      <h2 className="truncate text-left font-semibold text-foreground text-lg" dir="auto">
        {project.name}
      </h2>
      <p className="truncate text-base text-muted">{project.domain}</p>
      <div className="mt-5 flex items-center justify-between gap-3 dense:mt-2">
        {project.archivedAt === null ? <InstallState project={project} /> : <Badge tone="warning">Archived</Badge>}
        <span className="whitespace-nowrap text-muted text-sm tabular-nums">{formatItems(project.feedbackCount)}</span>
      </div>
      <p className="mt-3 border-border border-t pt-3 text-muted text-sm dense:mt-2 dense:pt-2">
        {project.widgetLastLoadedAt === null ? (
          <>
            Created <RelativeTime iso={project.createdAt} />
          </>
        ) : (
          <>
            Last active <RelativeTime iso={project.widgetLastLoadedAt} />
          </>
        )}
      </p>
    </Link>
  )
}

/** `1 item`, `1,204 items`. */
function CardSkeletons() {
  return (
    <output className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <span className="sr-only">Loading projects</span>
      {['first', 'second', 'third'].map((name) => (
        <div key={name} className="rounded-lg border border-border bg-surface p-4 shadow-sm">
          <Skeleton className="my-1 h-4 w-2/5" />
          <Skeleton className="my-1 h-3 w-3/5" />
          <Skeleton className="mt-6 h-5 w-24 rounded-full" />
          <div className="mt-3 border-border border-t pt-3">
            <Skeleton className="my-1 h-3 w-3/5" />
          </div>
        </div>
      ))}
    </output>
  )
}
