import type { Readable } from 'node:stream'
import { openEventStream as open } from '#server/platform/http/event-stream.ts'
import type { FeedbackFeed } from './feedback-feed.ts'

/** A follower, and the end of their access. */
export interface FollowerRights {
  readonly organizationId: string
  readonly userId: string
  /** The access token's expiry, which ends the stream. */
  readonly endsAtMs: number
  /** Milliseconds between checks of {@link mayFollow}. Default: a heartbeat. */
  readonly checkEveryMs?: number
  /** Called at every heartbeat, and whenever a member leaves the organisation or an impersonation ends. */
  mayFollow(): Promise<boolean>
}

/** One follower's events. Ends when the follower's time or right is over, or when notices may have been missed. */
export function openEventStream(
  feed: FeedbackFeed,
  { organizationId, userId, endsAtMs, checkEveryMs, mayFollow }: FollowerRights,
): Readable {
  const events = open({ endsAtMs, checkEveryMs, mayFollow, onClose: () => unfollow() })
  const unfollow = feed.follow(organizationId, {
    userId,
    onNotice: (notice, text) => {
      if (notice.kind !== 'notifications') return events.send(text)
      // The ids of other recipients are private.
      if (notice.ids.includes(userId)) events.send(JSON.stringify({ ...notice, ids: [userId] }))
    },
    onGap: events.end,
    onAccessChanged: () => void events.endUnlessAllowed(),
  })
  return events.stream
}
