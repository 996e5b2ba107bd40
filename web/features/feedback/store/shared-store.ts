import { emptyState, type InboxAction, type InboxState } from './inbox-state.ts'
import { reduce } from './reduce.ts'
import { requestTime } from './request-time.ts'

/** What the inbox knows of an organisation's items, for everything that shows it. */
export interface InboxStore {
  getState(): InboxState
  dispatch(action: InboxAction): void
  /** @returns what ends the subscription */
  subscribe(listener: () => void): () => void
  /** To be asked right before a request is sent. */
  requestTime(): number
}

export function createInboxStore(): InboxStore {
  let state = emptyState
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    dispatch: (action) => {
      state = reduce(state, action, new Date())
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    requestTime: () => requestTime(state),
  }
}
