import { Check } from 'typebox/value'
import { ChangeNotice, type FeedbackListItem, noticeItemLimit } from '#contract/feedback.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Announcement, defineImmediateSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { listItems } from './feedback-item.queries.ts'

/** Someone who follows an organisation's feedback. */
export interface Follower {
  /** @param text the notice as JSON, made once for all followers. */
  onNotice(notice: ChangeNotice, text: string): void
  /** Notices may have been missed: the follower must end, reconnect and read its list again. */
  onGap(): void
  /** A member has left the organisation: the follower must check whether it may still follow. */
  onMemberGone(): void
}

/** Hands events and live messages on to the followers in this process. */
export interface FeedbackFeed {
  readonly subscriber: Subscriber
  follow(organizationId: string, follower: Follower): () => void
  /** Ends all followers. */
  close(): void
}

/** Above this, `ids` of a notice is empty: reading the list again takes less than naming them all. */
const maxNamedIds = 150

const followedEvents = [
  'feedback.created',
  'feedback.status_changed',
  'feedback.updated',
  'feedback.commented',
  'feedback.replied',
  'feedback.reply_delivered',
  'feedback.answered',
  'feedback.files_changed',
  'feedback.deleted',
  'project.deleted',
  'member.removed',
] as const
type FollowedEvent = (typeof followedEvents)[number]

export function createFeedbackFeed(database: Database): FeedbackFeed {
  const followersByOrganization = new Map<string, Set<Follower>>()
  const listFollowers = (organizationId: string) => [...(followersByOrganization.get(organizationId) ?? [])]

  function tell(organizationId: string, notice: ChangeNotice): void {
    const text = JSON.stringify(notice)
    for (const follower of listFollowers(organizationId)) follower.onNotice(notice, text)
  }

  function endAll(): void {
    for (const organizationId of [...followersByOrganization.keys()])
      for (const follower of listFollowers(organizationId)) follower.onGap()
  }

  /** One query for all followers in this process. Browsers that get no rows read them themselves. */
  async function readRows(organizationId: string, ids: readonly string[]): Promise<Map<string, FeedbackListItem>> {
    if (ids.length === 0) return new Map()
    try {
      const items = await database.asSystem('members see all items of their organisation', (tx) =>
        listItems(tx, organizationId, ids),
      )
      return new Map(items.map((item) => [item.id, item]))
    } catch {
      return new Map()
    }
  }

  async function run(organizationId: string, events: readonly Announcement<FollowedEvent>[]): Promise<void> {
    if (events.some(({ name }) => name === 'member.removed'))
      for (const follower of listFollowers(organizationId)) follower.onMemberGone()
    await announce(organizationId, toNotices(events))
  }

  async function announce(organizationId: string, notices: readonly UnreadNotice[]): Promise<void> {
    const named = notices.filter(({ isOfItems, ids }) => isOfItems && ids.length <= noticeItemLimit)
    const rows = await readRows(organizationId, [...new Set(named.flatMap(({ ids }) => ids))])
    for (const { kind, ids, isOfItems } of notices) {
      const own = isOfItems && ids.length <= noticeItemLimit ? ids : []
      const items = own.map((id) => rows.get(id)).filter((item) => item !== undefined)
      tell(organizationId, { kind, ids: ids.length > maxNamedIds ? [] : [...ids], items })
    }
  }

  return {
    subscriber: defineImmediateSubscriber('feedback_feed', followedEvents, run, {
      concerns: (organizationId) => followersByOrganization.has(organizationId),
      onMessage: async (organizationId, { kind, ids }) => {
        if (!followersByOrganization.has(organizationId) || !Check(ChangeNotice.properties.kind, kind)) return
        await announce(organizationId, [{ kind, ids, isOfItems: kind === 'feedback.updated' }])
      },
      onGap: endAll,
    }),
    follow: (organizationId, follower) => {
      const followers = followersByOrganization.get(organizationId) ?? new Set()
      followers.add(follower)
      followersByOrganization.set(organizationId, followers)
      return () => {
        followers.delete(follower)
        if (followers.size === 0) followersByOrganization.delete(organizationId)
      }
    },
    close: endAll,
  }
}

interface UnreadNotice {
  readonly kind: ChangeNotice['kind']
  readonly ids: readonly string[]
  readonly isOfItems: boolean
}

/** Events of one transaction become at most one notice of each kind. */
function toNotices(events: readonly Announcement<FollowedEvent>[]): UnreadNotice[] {
  const collect = (kind: ChangeNotice['kind'], isOf: (name: FollowedEvent) => boolean): UnreadNotice => {
    const ids = new Set(events.filter(({ name }) => isOf(name)).flatMap((event) => event.ids))
    return { kind, ids: [...ids], isOfItems: kind !== 'project.deleted' }
  }
  const others = new Set<FollowedEvent>(['feedback.created', 'project.deleted', 'member.removed'])
  return [
    collect('feedback.created', (name) => name === 'feedback.created'),
    collect('feedback.updated', (name) => !others.has(name)),
    collect('project.deleted', (name) => name === 'project.deleted'),
  ].filter(({ ids }) => ids.length > 0)
}
