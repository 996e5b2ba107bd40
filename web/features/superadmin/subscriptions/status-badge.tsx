import type { SubscriptionStatus } from '#contract/plans.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

export const statusLabels: Readonly<Record<SubscriptionStatus, string>> = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  canceled: 'Cancelled',
  expired: 'Expired',
  self_hosted: 'No limits',
}

const tones: Readonly<Record<SubscriptionStatus, BadgeTone>> = {
  trialing: 'info',
  active: 'success',
  past_due: 'danger',
  canceled: 'neutral',
  expired: 'warning',
  self_hosted: 'neutral',
}

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  return <Badge tone={tones[status]}>{statusLabels[status]}</Badge>
}
