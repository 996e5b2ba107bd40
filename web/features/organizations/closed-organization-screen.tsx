import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { restoreOrganization } from '#contract/organization-deletion.ts'
import { call } from '#web/lib/api.ts'
import { getDateFormat } from '#web/lib/date-style.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { signOut } from '#web/lib/session.tsx'
import { listUnsent } from '#web/lib/unsent-texts.ts'
import { currentOrganizationKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { LogoMark } from '#web/ui/logo.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import type { ClosedOrganization } from './current-organization.ts'
import NewOrganization from './new-organization.tsx'
import { OtherOrganizations } from './other-organizations.tsx'

/** Replaces the dashboard of a deleted organisation until it is removed: who can restore it, and until when. */
export default function ClosedOrganizationScreen({ closed }: { closed: ClosedOrganization }) {
  const { organizationName, deleteAfter, closedAt, closedByName, canRestore, isSuspended, owners } = closed.deletion
  const [unsent] = useState(listUnsent)
  const [isCreating, setCreating] = useState(false)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <title>Organisation closed · Earshot</title>
      <div className="flex w-full max-w-md flex-col gap-6">
        <LogoMark className="size-8" />
        <div className="flex flex-col gap-3 text-base">
          <h1 className="font-semibold text-2xl">
            <bdi className="[overflow-wrap:anywhere]">{organizationName}</bdi> is closed
          </h1>
          <p>
            <bdi className="[overflow-wrap:anywhere]">{closedByName ?? 'An owner'}</bdi> deleted this organisation on{' '}
            <time dateTime={closedAt}>{formatDay(closedAt)}</time>. Its widgets show on no page.
          </p>
          <p>
            Everything in it is permanently deleted on{' '}
            <time dateTime={deleteAfter} className="font-medium">
              {formatDay(deleteAfter)} at {getDateFormat('clock').format(new Date(deleteAfter))}
            </time>
            .{' '}
            {canRestore
              ? 'Until then, you can restore all of it.'
              : isSuspended
                ? 'It is suspended, so only those who run this Earshot instance can restore it.'
                : 'Until then, an owner can restore all of it.'}
          </p>
        </div>
        {canRestore ? (
          <Restore organizationId={closed.id} />
        ) : isSuspended ? (
          <ContactLink />
        ) : (
          <Owners owners={owners} />
        )}
        <UnsentTexts texts={unsent} />
        <OtherOrganizations exceptId={closed.id} />
        <div className="flex flex-wrap gap-2 border-border border-t pt-6">
          <Button variant="secondary" onClick={() => setCreating(true)}>
            Create an organisation
          </Button>
          <Button variant="ghost" onClick={() => signOut()}>
            Sign Out
          </Button>
        </div>
      </div>
      {isCreating && <NewOrganization onOpenChange={setCreating} />}
    </main>
  )
}

function ContactLink() {
  return (
    <div>
      <Button asChild>
        <a href="/contact">Contact us</a>
      </Button>
    </div>
  )
}

function Restore({ organizationId }: { organizationId: string }) {
  const queryClient = useQueryClient()
  const restoring = useMutation({
    mutationFn: () => call(restoreOrganization, { params: { organizationId } }),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentOrganizationKey }),
  })
  return (
    <div className="flex flex-col items-start gap-2">
      <Button loading={restoring.isPending} onClick={() => restoring.mutate()}>
        Restore organisation
      </Button>
      {restoring.error && (
        <p role="alert" className="text-base text-danger-text">
          {restoring.error.message}
        </p>
      )}
    </div>
  )
}

function Owners({ owners }: { owners: ClosedOrganization['deletion']['owners'] }) {
  if (owners.length === 0) return <p className="text-base text-muted">It has no owner any more.</p>
  return (
    <section aria-label="Owners" className="rounded-lg border border-border bg-surface p-4">
      <h2 className="font-medium text-base">{owners.length === 1 ? 'Owner' : 'Owners'}</h2>
      <ul className="mt-1 flex flex-col gap-1 text-base">
        {owners.map(({ name, email }) => (
          <li key={email} className="[overflow-wrap:anywhere]">
            {name !== email && <bdi>{name}, </bdi>}
            <a href={`mailto:${email}`} className="text-accent-text underline">
              {email}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
