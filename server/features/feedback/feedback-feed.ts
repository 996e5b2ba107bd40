import { Check } from 'typebox/value'
import { FeedbackNotice } from '#contract/feedback.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Someone who follows an organisation's feedback. */
export interface Follower {
  onNotice(notice: FeedbackNotice): void
  /** Notices may have been missed: the follower must end, connect anew and read its list again. */
  onGap(): void
  /** Somebody has left the organisation: the follower must ask whether it may still follow. */
  onMemberGone(): void
}

/** Hands what PostgreSQL tells every server on to those who follow the organisation here. */
export interface FeedbackFeed {
  follow(organizationId: string, follower: Follower): () => void
  close(): Promise<void>
}

export async function openFeedbackFeed(database: Database): Promise<FeedbackFeed> {
  const followersByOrganization = new Map<string, Set<Follower>>()

  const stop = await database.listen(
    'feedback_changed',
    (payload) => {
      const { organizationId, ...notice } = JSON.parse(payload) as { organizationId: string; kind?: unknown }
      const followers = [...(followersByOrganization.get(organizationId) ?? [])]
      if (notice.kind === 'member.gone') for (const follower of followers) follower.onMemberGone()
      else if (Check(FeedbackNotice, notice)) for (const follower of followers) follower.onNotice(notice)
    },
    () => endAll(),
  )

  function endAll(): void {
    for (const followers of [...followersByOrganization.values()])
      for (const follower of [...followers]) follower.onGap()
  }

  return {
    follow: (organizationId, follower) => {
      const followers = followersByOrganization.get(organizationId) ?? new Set()
      followers.add(follower)
      followersByOrganization.set(organizationId, followers)
      return () => {
        followers.delete(follower)
        if (followers.size === 0) followersByOrganization.delete(organizationId)
      }
    },
    close: async () => {
      await stop()
      endAll()
    },
  }
}
