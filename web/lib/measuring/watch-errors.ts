import { describeError } from './describe-error.ts'
import type { Service } from './service.ts'

/** Of one page load: a page that fails in a loop is counted no more often. */
const maxPerPage = 20

/** Counts errors that nothing caught. @returns what ends it. */
export function watchErrors(capture: NonNullable<Service['capture']>): () => void {
  let left = maxPerPage
  const count = (error: unknown, context: string) => {
    if (left <= 0) return
    left -= 1
    capture('error_occurred', { error_message: describeError(error), context })
  }
  const onError = (event: ErrorEvent) => count(event.error ?? event.message, 'uncaught')
  const onRejection = (event: PromiseRejectionEvent) => count(event.reason, 'unhandled_rejection')
  window.addEventListener('error', onError)
  window.addEventListener('unhandledrejection', onRejection)
  return () => {
    window.removeEventListener('error', onError)
    window.removeEventListener('unhandledrejection', onRejection)
  }
}
