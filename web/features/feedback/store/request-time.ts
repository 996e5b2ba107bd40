import type { InboxState } from './inbox-state.ts'

/** When a request is made: after all that happened, before all that will. */
export function requestTime({ clock }: Pick<InboxState, 'clock'>): number {
  return clock + 0.5
}
