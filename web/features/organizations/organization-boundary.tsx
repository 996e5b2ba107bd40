import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ApiError } from '#web/lib/api.ts'
import { OrganizationProvider } from '#web/lib/organization.tsx'
import { followOrganization } from '#web/lib/organization-events.ts'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { outdateBilling } from '#web/shared/outdate-billing.ts'
import { currentOrganizationKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { currentOrganizationQuery } from './current-organization.ts'

// Few people see them.
const ClosedOrganizationScreen = lazy(() => import('./closed-organization-screen.tsx'))
const SuspendedOrganizationScreen = lazy(() => import('./suspended-organization-screen.tsx'))
const NoOrganizationScreen = lazy(() => import('./no-organization-screen.tsx'))
const AccessEndedScreen = lazy(() => import('./access-ended-screen.tsx'))

interface OrganizationBoundaryProps {
  /** What owners can still do in a suspended organisation. Of other features. */
  SuspendedTools: ComponentType
  children: ReactNode
}

/** Provides the person's organisation to its children, or an explanation where there is none. */
export function OrganizationBoundary({ SuspendedTools, children }: OrganizationBoundaryProps) {
  const user = useUser()
  const { data, isPending, isError, isFetching, refetch } = useQuery(currentOrganizationQuery(user.id))
  const refusal = useRefusal(data?.current?.organization.id)
  if (isPending) return <FullSpinner />
  if (isError) {
    return (
      <Notice
        text="A temporary issue occurred. Please try again in a moment."
        action={
          <Button onClick={() => refetch()} loading={isFetching}>
            Try Again
          </Button>
        }
      />
    )
  }
  if (!data.current) {
    return (
      <Suspense fallback={<FullSpinner />}>
        {data.closed ? (
          <ClosedOrganizationScreen closed={data.closed} />
        ) : data.suspended ? (
          <SuspendedOrganizationScreen suspended={data.suspended} Tools={SuspendedTools} />
        ) : (
          <NoOrganizationScreen />
        )}
      </Suspense>
    )
  }
  if (refusal) {
    return (
      <Suspense fallback={<FullSpinner />}>
        <AccessEndedScreen organization={data.current.organization} refusal={refusal} />
      </Suspense>
    )
  }
  return <OrganizationProvider value={data.current}>{children}</OrganizationProvider>
}

/** Refusals after which the organisation is read again. */
const outdating = new Set(['organization_closed', 'organization_suspended'])

/**
 * The reason why access to the organisation ended, as soon as it ends: the event stream ends then, and every call is
 * refused. Meanwhile keeps current what the cache has of projects, of the plan and of the person's own role.
 */
function useRefusal(organizationId: string | undefined): ApiError | undefined {
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<{ organizationId: string; error: ApiError }>()
  useEffect(() => {
    if (organizationId === undefined) return
    const onRefused = (error: ApiError) => {
      // Read again, it says until when it can be restored, or why it is suspended.
      if (outdating.has(error.code)) void queryClient.invalidateQueries({ queryKey: currentOrganizationKey })
      else setRefusal({ organizationId, error })
    }
    const judge = (error: unknown) => {
      if (!(error instanceof ApiError)) return
      if (error.code === 'organization_not_found' || outdating.has(error.code)) onRefused(error)
      // The role may have changed since it was read.
      if (error.code === 'permission_denied') void queryClient.invalidateQueries({ queryKey: currentOrganizationKey })
    }
    const unwatch = [
      queryClient.getQueryCache().subscribe((event) => {
        // An answer about another organisation says nothing of this one.
        if (event.query.meta?.isOfOthers) return
        if (event.type === 'updated' && event.action.type === 'error') judge(event.action.error)
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') judge(event.action.error)
      }),
      followOrganization(organizationId, {
        onEvent: (data) => {
          // A live event; other data gives undefined.
          const kind = (data as { kind?: string } | null)?.kind
          if (kind === 'project.deleted') {
            void queryClient.invalidateQueries({ queryKey: projectsQuery(organizationId).queryKey })
          }
          if (kind === 'subscription.changed') void outdateBilling(queryClient)
        },
        onOpen: (mayHaveMissed) => mayHaveMissed && void outdateBilling(queryClient),
        onRefused,
      }),
    ]
    return () => {
      for (const each of unwatch) each()
    }
  }, [queryClient, organizationId])
  return refusal?.organizationId === organizationId ? refusal?.error : undefined
}

function Notice({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-6 text-center">
      <p role="alert" className="max-w-md text-lg">
        {text}
      </p>
      <div className="flex gap-2">
        {action}
        <Button variant="secondary" onClick={() => signOut()}>
          Sign Out
        </Button>
      </div>
    </main>
  )
}
