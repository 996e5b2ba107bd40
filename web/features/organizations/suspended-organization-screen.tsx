import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense, useState } from 'react'
import { OrganizationProvider } from '#web/lib/organization.tsx'
import { formatDay } from '#web/lib/relative-time.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { listUnsent } from '#web/lib/unsent-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { LogoMark } from '#web/ui/logo.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import { currentOrganizationQuery } from './current-organization.ts'
import type { SuspendedOrganization } from './find-suspension.ts'
import { OtherOrganizations } from './other-organizations.tsx'

/** How often it looks whether the suspension was lifted. */
const lookMs = 30_000

/** Replaces the dashboard of a suspended organisation: what its members are told, and what owners can still do. */
export default function SuspendedOrganizationScreen({
  suspended: { id, suspension },
  Tools,
}: {
  suspended: SuspendedOrganization
  Tools: ComponentType
}) {
  const user = useUser()
  const [unsent] = useState(listUnsent)
  useQuery({ ...currentOrganizationQuery(user.id), refetchInterval: lookMs })
  const { organizationName, suspendedAt, message, role } = suspension
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <title>Organisation suspended · Earshot</title>
      <div className="flex w-full max-w-md flex-col gap-6">
        <LogoMark className="size-8" />
        <div className="flex flex-col gap-3 text-base">
          <h1 className="font-semibold text-2xl">This organisation is suspended</h1>
          <p>
            Those who run this Earshot instance suspended{' '}
            <bdi className="font-medium [overflow-wrap:anywhere]">{organizationName}</bdi> on{' '}
            <time dateTime={suspendedAt}>{formatDay(suspendedAt)}</time>. Its widgets show on no page. Nothing is
            deleted, and feedback that still arrives is stored.
          </p>
        </div>
        {message !== null && (
          <section aria-label="Message" className="rounded-lg border border-border bg-surface p-4">
            <h2 className="font-medium text-base">Message</h2>
            <p className="mt-1 whitespace-pre-line text-base [overflow-wrap:anywhere]" dir="auto">
              {message}
            </p>
          </section>
        )}
        <div>
          <Button asChild>
            <a href="/contact">Contact us</a>
          </Button>
        </div>
        <UnsentTexts texts={unsent} />
        <OtherOrganizations exceptId={id} />
        {role === 'owner' && (
          <OrganizationProvider value={{ organization: toOrganization(id, suspension), isSuperadmin: false }}>
            <Suspense>
              <Tools />
            </Suspense>
          </OrganizationProvider>
        )}
        <div className="border-border border-t pt-6">
          <Button variant="ghost" onClick={() => signOut()}>
            Sign Out
          </Button>
        </div>
      </div>
    </main>
  )
}

/** What the tools of owners need to know of it. */
function toOrganization(id: string, { organizationName, suspendedAt, role }: SuspendedOrganization['suspension']) {
  return {
    ...{ id, name: organizationName, slug: '', role, createdAt: suspendedAt },
    trialEndsAt: null,
    subscriptionStatus: null,
    subscriptionPlanId: null,
  }
}
