import { Ban, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { DeliveryState } from '../integration-queries.ts'

/** In the order of the filter. */
export const deliveryStates: Readonly<
  Record<DeliveryState, { readonly label: string; readonly icon: LucideIcon; readonly tone: string }>
> = {
  waiting: { label: 'Waiting', icon: Clock, tone: 'text-warning-text' },
  delivered: { label: 'Delivered', icon: CircleCheck, tone: 'text-success-text' },
  failed: { label: 'Failed', icon: CircleX, tone: 'text-danger-text' },
  // The item was deleted before it could be sent.
  dropped: { label: 'Dropped', icon: Ban, tone: 'text-muted' },
}
