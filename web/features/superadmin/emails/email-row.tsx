import { Link } from 'react-router'
import type { OutboxEmail } from '#contract/superadmin-emails.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { describeKind } from './describe-kind.ts'
import { EmailStatusBadge } from './email-status.tsx'

/** An email in the list, with the reason of its last failure. */
export function EmailRow({ email }: { email: OutboxEmail }) {
  const { id, to, kind, status, attempts, lastError, createdAt, sentAt, failedAt } = email
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_6rem_minmax(0,12rem)] sm:items-center">
      <span className="min-w-0">
        <Link
          to={`/dashboard/superadmin/email-monitoring/${id}`}
          className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
        >
          <bdi>{to}</bdi>
        </Link>
        <span className="block truncate text-muted text-sm">{describeKind(kind)}</span>
        {lastError !== null && <span className="block break-words text-danger-text text-sm">{lastError}</span>}
      </span>
      <span>
        <EmailStatusBadge status={status} />
      </span>
      <span className="text-muted text-sm tabular-nums sm:text-right">
        <time className="block" dateTime={sentAt ?? failedAt ?? createdAt}>
          {formatMoment(sentAt ?? failedAt ?? createdAt)}
        </time>
        {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
      </span>
    </div>
  )
}
