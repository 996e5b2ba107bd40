import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { GithubApp } from '#contract/github-app.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { OwnersOnly } from '../owners-only.tsx'
import { exchangeQuery, githubAppsQuery, repositoriesQuery } from './github-app-queries.ts'
import { InstallStep } from './install-step.tsx'
import { RepositoryStep } from './repository-step.tsx'

const startPath = '/dashboard/integrations/new/github'

/** Where GitHub returns to: first with the code of a new App, then when the App was installed. */
export default function GithubAppScreen() {
  const { can } = useOrganization()
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <BackLink to={startPath}>GitHub Issues</BackLink>
      <title>Connect a GitHub App · Earshot</title>
      <h1 className="mt-4 font-semibold text-2xl">Connect a GitHub App</h1>
      {can('manage_integrations') ? <Connection /> : <OwnersOnly />}
    </div>
  )
}

function Connection() {
  const [search] = useSearchParams()
  const { githubAppId = '' } = useParams()
  const [code, state] = [search.get('code'), search.get('state')]
  return code !== null && state !== null ? (
    <Exchange key={code} githubAppId={githubAppId} code={code} state={state} />
  ) : (
    <Created githubAppId={githubAppId} wasRequested={search.get('setup_action') === 'request'} />
  )
}

/** The code works once: afterwards, the address loses it. */
function Exchange({ githubAppId, code, state }: { githubAppId: string; code: string; state: string }) {
  const { organization } = useOrganization()
  const navigate = useNavigate()
  const { error, isSuccess } = useQuery(exchangeQuery(organization.id, githubAppId, code, state))
  useEffect(() => {
    if (isSuccess) void navigate(`/dashboard/integrations/github-app/${githubAppId}`, { replace: true })
  }, [isSuccess, navigate, githubAppId])
  if (error) return <StartAgain title="Couldn’t connect the GitHub App">{error.message}</StartAgain>
  return <Loading label="Saving the GitHub App" current={0} />
}

function Created({ githubAppId, wasRequested }: { githubAppId: string; wasRequested: boolean }) {
  const { organization } = useOrganization()
  const apps = useQuery(githubAppsQuery(organization.id))
  const app = apps.data?.find(({ id }) => id === githubAppId)
  if (app) return <Continue app={app} wasRequested={wasRequested} />
  if (apps.error) {
    return <LoadFailure title="Couldn’t load the GitHub App" error={apps.error} onRetry={() => void apps.refetch()} />
  }
  if (!apps.data || apps.isFetching) return <Loading label="Loading the GitHub App" current={1} />
  return (
    <StartAgain title="GitHub App not found">
      It was connected already, belongs to another organisation, or has expired.
    </StartAgain>
  )
}

function Continue({ app, wasRequested }: { app: GithubApp; wasRequested: boolean }) {
  const { organization } = useOrganization()
  const { data, error, isFetching, refetch } = useQuery(repositoriesQuery(organization.id, app.id))
  const check = () => void refetch()
  if (!data && error) {
    return <LoadFailure title="Couldn’t load the repositories" error={error} onRetry={check} />
  }
  if (!data) return <Loading label="Loading repositories" current={1} />
  return (
    <>
      <Steps current={data.isInstalled ? 2 : 1} />
      {data.isInstalled ? (
        <RepositoryStep
          app={app}
          repositories={data.items}
          isCut={data.isCut}
          isChecking={isFetching}
          onCheck={check}
        />
      ) : (
        <InstallStep app={app} wasRequested={wasRequested} isChecking={isFetching} onCheck={check} />
      )}
    </>
  )
}

const steps = ['Create the App', 'Install it', 'Select a repository']

function Steps({ current }: { current: number }) {
  return (
    <ol aria-label="Steps" className="mt-5 flex flex-wrap gap-x-5 gap-y-2 text-base">
      {steps.map((step, at) => (
        <li
          key={step}
          {...(at === current && { 'aria-current': 'step' as const })}
          className={cn('flex items-center gap-2', at === current ? 'font-medium' : 'text-muted')}
        >
          {at < current ? (
            <CircleCheck aria-hidden="true" className="size-5 text-success-text" />
          ) : (
            <span
              aria-hidden="true"
              className={cn(
                'flex size-5 items-center justify-center rounded-full font-medium text-xs',
                at === current ? 'bg-accent text-on-accent' : 'ring-1 ring-border-strong ring-inset',
              )}
            >
              {at + 1}
            </span>
          )}
          {step}
          {at < current && <span className="sr-only">: done</span>}
        </li>
      ))}
    </ol>
  )
}

function Loading({ label, current }: { label: string; current: number }) {
  return (
    <>
      <Steps current={current} />
      <output className="mt-6 block">
        <span className="sr-only">{label}</span>
        <Skeleton className="h-48 rounded-lg" />
      </output>
    </>
  )
}

function StartAgain({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EmptyState
      icon={<CircleX />}
      title={title}
      action={
        <Button asChild>
          <Link to={startPath}>Start again</Link>
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
