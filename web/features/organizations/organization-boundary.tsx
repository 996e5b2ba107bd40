import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ApiError } from '#web/lib/api.ts'
import { type Organization, OrganizationProvider } from '#web/lib/organization.tsx'
import { followOrganization } from '#web/lib/organization-events.ts'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { listUnsent } from '#web/lib/unsent-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import { currentOrganizationQuery } from './current-organization.ts'

/** Provides the person's organisation to its children, or an explanation where there is none. */
export function OrganizationBoundary({ children }: { children: ReactNode }) {
  const user = useUser()
  const { data, isPending, isError, isFetching, refetch } = useQuery(currentOrganizationQuery(user.id))
  const refusal = useRefusal(data?.organization.id)
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
  if (!data) return <Notice text="No organization found. Please contact support." />
  if (refusal) return <ShutOut organization={data.organization} refusal={refusal} />
  return <OrganizationProvider value={data}>{children}</OrganizationProvider>
}

/** The reason why access to the organisation ended, as soon as it ends; meanwhile keeps the cached projects current. */
function useRefusal(organizationId: string | undefined): ApiError | undefined {
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<{ organizationId: string; error: ApiError }>()
  useEffect(() => {
    if (organizationId === undefined) return
    return followOrganization(organizationId, {
      onEvent: (data) => {
        // A live event; other data gives undefined.
        if ((data as { kind?: string } | null)?.kind !== 'project.deleted') return
        void queryClient.invalidateQueries({ queryKey: projectsQuery(organizationId).queryKey })
      },
      onRefused: (error) => setRefusal({ organizationId, error }),
    })
  }, [queryClient, organizationId])
  return refusal?.organizationId === organizationId ? refusal?.error : undefined
}

/** Replaces the dashboard after removal from the organisation or its deletion. Unsent drafts can be copied. */
function ShutOut({ organization, refusal }: { organization: Organization; refusal: ApiError }) {
  const [unsent] = useState(listUnsent)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-6 py-10 text-center">
      <title>No longer a member · Earshot</title>
      <div role="alert" className="flex max-w-md flex-col gap-2">
        <h1 className="font-semibold text-2xl">
          You can no longer open <bdi className="[overflow-wrap:anywhere]">{organization.name}</bdi>
        </h1>
        <p className="text-lg text-muted">
          {refusal.status === 403
            ? refusal.message
            : 'You were removed from this organisation, or it was deleted. Contact its owner for details.'}
        </p>
      </div>
      <UnsentTexts texts={unsent} />
      <div className="flex flex-wrap justify-center gap-2">
        {/* A full load: nothing of the organisation stays behind, and who has another lands there. */}
        <Button asChild>
          <a href="/dashboard">Continue</a>
        </Button>
        <Button variant="secondary" onClick={() => signOut()}>
          Sign Out
        </Button>
      </div>
    </main>
  )
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
