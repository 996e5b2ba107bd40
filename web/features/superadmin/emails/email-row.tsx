import type { EmailStatus, OutboxEmail } from '#contract/superadmin-emails.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { describeKind } from './describe-kind.ts'
import { statusLabels } from './email-filters.tsx'

const tones: Readonly<Record<EmailStatus, BadgeTone>> = { queued: 'info', sent: 'success', failed: 'danger' }

/** An email in the list, with the reason of its last failure. */
export function EmailRow({ email }: { email: OutboxEmail }) {
  const { to, kind, status, attempts, lastError, createdAt, sentAt, failedAt } = email
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_6rem_minmax(0,12rem)] sm:items-center">
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{to}</bdi>
        <span className="block truncate text-muted text-sm">{describeKind(kind)}</span>
        {lastError !== null && <span className="block break-words text-danger-text text-sm">{lastError}</span>}
      </span>
      <span>
        <Badge tone={tones[status]}>{statusLabels[status]}</Badge>
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
