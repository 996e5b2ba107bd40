import { useEffect, useEffectEvent } from 'react'
import { followOrganization } from './organization-events.ts'

/** Feedback may arrive by the hundred: after the first call, at most one in this time. */
const pauseMs = 2000

/**
 * Calls back when feedback of an organisation arrives or changes: at once, then at most every two seconds. Uses the live
 * connection that the page already has.
 */
export function useFeedbackChanges(organizationId: string, onChange: () => void): void {
  const notify = useEffectEvent(onChange)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isWaiting = false
    const tell = () => {
      if (timer !== undefined) {
        isWaiting = true
        return
      }
      notify()
      timer = setTimeout(() => {
        timer = undefined
        if (!isWaiting) return
        isWaiting = false
        tell()
      }, pauseMs)
    }
    const unfollow = followOrganization(organizationId, {
      onEvent: (data) => {
        // A live event; other data gives undefined.
        const kind = (data as { kind?: string } | null)?.kind
        if (kind?.startsWith('feedback.')) tell()
      },
      onOpen: (mayHaveMissed) => mayHaveMissed && tell(),
    })
    return () => {
      unfollow()
      clearTimeout(timer)
    }
  }, [organizationId])
}
