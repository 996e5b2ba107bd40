import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { listFeedback } from '#contract/inbox.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { useFeedbackChanges } from '#web/lib/use-feedback-changes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** For a page whose live connection was refused or lost. */
const pollMs = 10_000

type Earshot = (command: string, ...args: unknown[]) => unknown

// Set by the loader; undefined until then.
const readEarshot = () => (window as unknown as { earshot?: Earshot }).earshot

/** The published widget of a project, to be tried out here: what is sent arrives in the inbox, marked as a test. */
export default function TestWidgetScreen() {
  const { organization } = useOrganization()
  const projects = useQuery(projectsQuery(organization.id))
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('project')
  const project = projects.data?.find(({ id }) => id === wanted) ?? projects.data?.[0]

  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-col gap-1">
        <h1 className="font-semibold text-2xl">Test the widget</h1>
        <p className="text-base text-muted">
          The button in the corner is the published widget. What you send arrives in your inbox, marked as a test.
        </p>
      </header>
      {projects.error && !projects.data ? (
        <LoadFailure title="Couldn’t load projects" error={projects.error} onRetry={() => projects.refetch()} />
      ) : !projects.data ? (
        <output>
          <span className="sr-only">Loading projects</span>
          <Skeleton className="h-40 rounded-lg" />
        </output>
      ) : !project ? (
        <EmptyState
          icon={<FlaskConical />}
          title="No projects yet"
          action={
            <Button asChild>
              <Link to="/dashboard/projects">Projects</Link>
            </Button>
          }
        >
          A widget belongs to a project. Once there is one, you can try its widget here.
        </EmptyState>
      ) : (
        <>
          <Field label="Project">
            {(control) => (
              <Select
                {...control}
                value={project.id}
                onChange={({ currentTarget }) => setSearch({ project: currentTarget.value }, { replace: true })}
              >
                {projects.data.map(({ id, name, domain }) => (
                  <option key={id} value={id}>
                    {name} ({domain})
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <TryOut key={project.id} project={project} />
        </>
      )}
    </div>
  )
}

function TryOut({ project }: { project: Project }) {
  const { organization } = useOrganization()
  const state = useWidget(project.widgetKey)
  const arrived = useQuery({
    queryKey: ['test-widget', organization.id, project.id],
    queryFn: ({ signal }) =>
      call(listFeedback, {
        params: { organizationId: organization.id },
        query: { projectId: [project.id], source: ['test'], limit: 5 },
        signal,
      }),
    refetchInterval: pollMs,
    networkMode: 'always',
  })
  useFeedbackChanges(organization.id, () => void arrived.refetch())
  const tests = arrived.data?.items ?? []
  return (
    <>
      <Card>
        <CardHeader>
          <CardTitle>Try it</CardTitle>
          <CardDescription>
            {state === 'failed'
              ? 'Couldn’t load the widget. Please reload the page.'
              : 'Press the button in the corner, or open the panel from here.'}
          </CardDescription>
        </CardHeader>
        <CardContent className="flex flex-wrap gap-2">
          <Button loading={state === 'loading'} disabled={state === 'failed'} onClick={() => readEarshot()?.('open')}>
            Open the panel
          </Button>
          <Button asChild variant="secondary">
            <Link to={`/dashboard/projects/${project.id}/widget`}>Widget settings</Link>
          </Button>
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>Received</CardTitle>
          <CardDescription>The latest test items of this project.</CardDescription>
        </CardHeader>
        <CardContent>
          <ul aria-live="polite" className="divide-y divide-border">
            {tests.map(({ id, number, excerpt, createdAt }) => (
              <li key={id}>
                <Link
                  to={`/dashboard/feedback?item=${id}`}
                  className="flex items-baseline gap-3 rounded-sm py-2 text-base hover:bg-hover"
                >
                  <span className="text-muted tabular-nums">#{number}</span>
                  <span className="min-w-0 flex-1 truncate" dir="auto">
                    {excerpt || 'No message'}
                  </span>
                  <RelativeTime iso={createdAt} short className="text-muted text-sm" />
                </Link>
              </li>
            ))}
            {tests.length === 0 && <li className="py-2 text-base text-muted">No test items yet.</li>}
          </ul>
        </CardContent>
      </Card>
    </>
  )
}

/** Puts the widget on this page for as long as the screen is shown. */
function useWidget(widgetKey: string): 'loading' | 'ready' | 'failed' {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  useEffect(() => {
    const script = document.createElement('script')
    script.src = withBasePath(`/e/${widgetKey}.js?own`)
    script.onload = () => setState('ready')
    script.onerror = () => setState('failed')
    document.head.append(script)
    return () => {
      script.remove()
      readEarshot()?.('destroy')
    }
  }, [widgetKey])
  return state
}
