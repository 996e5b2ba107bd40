import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { OrganizationProvider } from '#web/lib/organization.tsx'
import { signOut, useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { currentOrganizationQuery } from './current-organization.ts'

/** Finds the person's organisation and shows what is inside with it; a sentence and a way out where there is none. */
export function OrganizationBoundary({ children }: { children: ReactNode }) {
  const user = useUser()
  const { data, isPending, isError, isFetching, refetch } = useQuery(currentOrganizationQuery(user.id))
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
  return <OrganizationProvider value={data}>{children}</OrganizationProvider>
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
