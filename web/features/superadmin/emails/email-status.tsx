import type { EmailStatus } from '#contract/superadmin-emails.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

export const statusLabels: Readonly<Record<EmailStatus, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  bounced: 'Bounced',
  failed: 'Failed',
  suppressed: 'Suppressed',
}
const tones: Readonly<Record<EmailStatus, BadgeTone>> = {
  queued: 'info',
  sent: 'success',
  bounced: 'danger',
  failed: 'danger',
  suppressed: 'warning',
}

export function EmailStatusBadge({ status }: { status: EmailStatus }) {
  return <Badge tone={tones[status]}>{statusLabels[status]}</Badge>
}
