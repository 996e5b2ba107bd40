import { useInfiniteQuery } from '@tanstack/react-query'
import { FlaskConical, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  exportTestedProjects,
  type TestedProject,
  type TestedProjectFilters,
} from '#contract/superadmin-widget-test.ts'
import { send } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { Trial } from './trial.tsx'
import { testedProjectsQuery } from './widget-test-queries.ts'

/** The published widget of any project, tried and measured. */
export function WidgetTestScreen() {
  const [project, setProject] = useState<TestedProject>()
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-3xl text-base text-muted">
        Select a project to try its published widget on a sample page. What you send is stored as a test item of the
        project, and its team sees it. You can delete it here.
      </p>
      <Projects selected={project} onSelect={setProject} />
      {project ? (
        <Trial key={project.id} project={project} />
      ) : (
        <EmptyState icon={<FlaskConical />} title="No project selected" className="py-8">
          Find a project by its name, domain, widget key or organisation.
        </EmptyState>
      )}
    </div>
  )
}

function Projects({
  selected,
  onSelect,
}: {
  selected: TestedProject | undefined
  onSelect: (project: TestedProject) => void
}) {
  const [params, setParams] = useSearchParams()
  const search = (params.get('q') ?? '').slice(0, 200)
  const isLatestFirst = params.get('order') === 'latest'
  const change = (q: string, latest: boolean) =>
    setParams(
      { ...(q !== '' && { q }), ...(latest && { order: 'latest' }) },
      { preventScrollReset: true, replace: true },
    )
  const filters: TestedProjectFilters = {
    ...(search !== '' && { search }),
    ...(isLatestFirst && { order: 'latest' }),
  }
  const list = useInfiniteQuery(testedProjectsQuery(filters))
  const projects = list.data?.pages.flatMap(({ items }) => items)
  return (
    <section aria-label="Projects" className="flex flex-col gap-3">
      <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search projects"
          placeholder="Name, domain, key, organisation"
          value={search}
          onChange={(words) => change(words, isLatestFirst)}
        />
        <Select
          aria-label="Order"
          className="w-auto min-w-36 flex-1 sm:flex-none"
          value={isLatestFirst ? 'latest' : 'name'}
          onChange={({ currentTarget: { value } }) => change(search, value === 'latest')}
        >
          <option value="name">By name</option>
          <option value="latest">Latest first</option>
        </Select>
        <CsvExport
          request={() => send(exportTestedProjects, { body: filters }, '*/*')}
          failure="Couldn’t export the projects"
        />
      </search>
      {projects === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load projects" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading projects" />
        )
      ) : projects.length === 0 ? (
        <EmptyState icon={<SearchX />} title="No projects found" className="py-8">
          {search === '' ? 'No organisation has a project yet.' : `No results for “${search}”.`}
        </EmptyState>
      ) : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
          tabIndex={0}
          aria-label="Found projects"
          className="max-h-72 overflow-y-auto rounded-lg border border-border bg-surface shadow-sm"
        >
          <ul className="divide-y divide-border">
            {projects.map((project) => (
              <li key={project.id}>
                <ProjectButton
                  project={project}
                  isSelected={project.id === selected?.id}
                  onSelect={() => onSelect(project)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <MoreButton list={list} className="self-center" />
    </section>
  )
}

interface ProjectButtonProps {
  project: TestedProject
  isSelected: boolean
  onSelect: () => void
}

function ProjectButton({ project, isSelected, onSelect }: ProjectButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className="flex min-h-10 w-full flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 text-left text-base hover:bg-hover focus-visible:outline-offset-[-2px] aria-pressed:bg-accent-soft"
    >
      <span className="min-w-0 break-words">
        <bdi className="font-medium">{project.name}</bdi>{' '}
        <span className="text-muted">
          {project.domain} · <bdi>{project.organization.name}</bdi>
        </span>
      </span>
      {project.isArchived ? (
        <Badge tone="warning">Archived</Badge>
      ) : project.lastLoadedAt === null ? (
        <Badge>Not installed</Badge>
      ) : (
        <Badge tone="success">Installed</Badge>
      )}
    </button>
  )
}
