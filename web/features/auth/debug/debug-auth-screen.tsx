import { RefreshCw } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { renewSession } from '#web/lib/auth-client.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { isVerified, useSession } from '#web/lib/session.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { describeSession, type SessionReport } from './describe-session.ts'

/**
 * The claims of the current session, to find out why a request is refused. Nothing here lets a reader act as its owner.
 */
export function DebugAuthScreen() {
  const state = useSession()
  const { organization, isSuperadmin } = useOrganization()
  const [isRenewing, setRenewing] = useState(false)
  if (state.status !== 'signed_in') return null
  const { id, name, role } = organization
  const report = describeSession(state.session, {
    isVerified: isVerified(state.user),
    organization: { id, name, role },
    isSuperadmin,
  })
  const renew = async () => {
    setRenewing(true)
    const session = await renewSession().catch(() => undefined)
    setRenewing(false)
    if (session) toast({ title: 'Session refreshed', tone: 'success' })
    else toast({ title: 'Couldn’t refresh the session', tone: 'danger' })
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
          <h1 className="font-semibold text-2xl">Debug auth</h1>
          <p className="max-w-prose text-base text-muted">
            Your session as the server sees it. It contains no tokens, so you can share it with support.
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" loading={isRenewing} onClick={renew}>
            <RefreshCw aria-hidden="true" />
            Refresh session
          </Button>
          <CopyButton text={JSON.stringify(report, null, 2)} label="Copy as JSON" />
        </div>
      </header>
      <Facts title="Session" facts={listSessionFacts(report)} />
      <Facts title="Account" facts={listAccountFacts(report)} />
      <Facts title="Organisation" facts={listOrganizationFacts(report)} />
      <Facts
        title="Claims of the access token"
        facts={Object.entries(report.claims).map(([claim, value]) => [claim, <Claim key={claim} value={value} />])}
        isMono
      />
    </div>
  )
}

type Fact = readonly [name: string, value: ReactNode]

function listSessionFacts({ session: { expiresAt, algorithm, keyId } }: SessionReport): Fact[] {
  return [
    ['Expires', expiresAt === null ? 'Unknown' : <Moment key="expires" iso={expiresAt} />],
    ['Signed with', algorithm ?? 'Unknown'],
    ['Key', keyId ?? 'None named'],
  ]
}

function listAccountFacts({ user, isSuperadmin }: SessionReport): Fact[] {
  return [
    ['User', <code key="id">{user.id}</code>],
    ['Email', user.email ?? 'None'],
    ['Provider', user.provider],
    [
      'Verified',
      <span key="verified" className="flex flex-wrap items-center gap-2">
        <YesNo is={user.isVerified} />
        {user.emailConfirmedAt !== null && <Moment iso={user.emailConfirmedAt} />}
      </span>,
    ],
    ['Superadmin', <YesNo key="superadmin" is={isSuperadmin} />],
    ['Created', <Moment key="created" iso={user.createdAt} />],
  ]
}

function listOrganizationFacts({ organization: { id, name, role } }: SessionReport): Fact[] {
  return [
    ['Name', name],
    ['Id', <code key="id">{id}</code>],
    ['Role', role],
  ]
}

function Facts({ title, facts, isMono = false }: { title: string; facts: readonly Fact[]; isMono?: boolean }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      <dl className="divide-y divide-border rounded-lg border border-border bg-surface shadow-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="grid gap-x-6 gap-y-0.5 px-5 py-2.5 sm:grid-cols-[10rem_1fr]">
            <dt className={isMono ? 'font-mono text-muted text-sm' : 'text-base text-muted'}>{name}</dt>
            <dd className="min-w-0 text-base [overflow-wrap:anywhere] [&_code]:font-mono [&_code]:text-sm">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Claim({ value }: { value: unknown }) {
  const text = typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
  return <code className="whitespace-pre-wrap">{text}</code>
}

function YesNo({ is }: { is: boolean }) {
  return <Badge tone={is ? 'success' : 'neutral'}>{is ? 'Yes' : 'No'}</Badge>
}

function Moment({ iso }: { iso: string }) {
  return (
    <span>
      <time dateTime={iso}>{formatFullTime(iso)}</time> <span className="text-muted">({iso})</span>
    </span>
  )
}
