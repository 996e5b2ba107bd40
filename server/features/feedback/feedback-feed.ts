import { Check } from 'typebox/value'
import { ChangeNotice, type FeedbackListItem, noticeItemLimit } from '#contract/feedback.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Announcement, defineImmediateSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { listItems } from './feedback-item.queries.ts'
import { listUnreadBy } from './reads.queries.ts'

/** Someone who follows an organisation's feedback. */
export interface Follower {
  readonly userId: string
  /** @param text the notice as JSON, made once for all followers who have read the same. */
  onNotice(notice: ChangeNotice, text: string): void
  /** Notices may have been missed: the follower must end, reconnect and read its list again. */
  onGap(): void
  /** A member has left, an impersonation has ended, or the organisation was closed: the follower must check whether it may still follow. */
  onAccessChanged(): void
}

/** Hands events and live messages on to the followers in this process. */
export interface FeedbackFeed {
  readonly subscriber: Subscriber
  follow(organizationId: string, follower: Follower): () => void
  /** Lets every follower read its notifications again, spread over some seconds: they ask for something, and read nothing else. */
  wakeAll(): void
  /** Ends all followers. */
  close(): void
}

/** Thousands of followers must not ask at the same moment. */
const wakeWithinMs = 3_000
/** Above this, `ids` of a notice is empty: reading the list again takes less than naming them all. */
const maxNamedIds = 150

const followedEvents = [
  'feedback.created',
  'feedback.locked',
  'feedback.status_changed',
  'feedback.updated',
  'feedback.commented',
  'feedback.replied',
  'feedback.reply_delivered',
  'feedback.answered',
  'feedback.files_changed',
  'feedback.deleted',
  'project.deleted',
  'subscription.changed',
  'subscription.upgraded',
  'subscription.downgraded',
  'subscription.cancelled',
  'subscription.reactivated',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'member.removed',
  'organization.deletion_requested',
  'organization.suspended',
] as const
type FollowedEvent = (typeof followedEvents)[number]
/** After these, followers may no longer follow. */
const accessEvents = new Set<FollowedEvent>([
  'member.removed',
  'organization.deletion_requested',
  'organization.suspended',
])
const isOfBilling = (name: FollowedEvent) => /^(subscription|payment)\./.test(name)

export function createFeedbackFeed(database: Database): FeedbackFeed {
  const followers = createFollowers()
  const listFollowers = followers.list

  function tell(organizationId: string, notice: ChangeNotice, unreadBy: UnreadBy): void {
    const byUnread = new Map<string, { personal: ChangeNotice; text: string }>()
    for (const follower of listFollowers(organizationId)) {
      const unread = unreadBy.get(follower.userId) ?? []
      const key = unread.join()
      const known = byUnread.get(key) ?? write(notice, unread)
      byUnread.set(key, known)
      follower.onNotice(known.personal, known.text)
    }
  }

  const endAll = () => {
    for (const follower of followers.listAll()) follower.onGap()
  }

  /** Two queries for all followers in this process. Browsers that get no rows read them themselves. */
  async function readRows(
    organizationId: string,
    ids: readonly string[],
  ): Promise<{ rows: ReadonlyMap<string, FeedbackListItem>; unreadBy: UnreadBy }> {
    if (ids.length === 0) return noRows
    const userIds = [...new Set(listFollowers(organizationId).map(({ userId }) => userId))]
    try {
      return await database.asSystem('members see all items of their organisation', async (tx) => {
        const items = await listItems(tx, organizationId, ids)
        const unreadBy = await listUnreadBy(tx, organizationId, ids, userIds)
        return { rows: new Map(items.map((item) => [item.id, item])), unreadBy }
      })
    } catch {
      return noRows
    }
  }

  async function run(organizationId: string, events: readonly Announcement<FollowedEvent>[]): Promise<void> {
    if (events.some(({ name }) => accessEvents.has(name)))
      for (const follower of listFollowers(organizationId)) follower.onAccessChanged()
    await announce(organizationId, toNotices(events))
  }

  async function announce(organizationId: string, notices: readonly UnreadNotice[]): Promise<void> {
    const named = notices.filter(({ isOfItems, ids }) => isOfItems && ids.length <= noticeItemLimit)
    const { rows, unreadBy } = await readRows(organizationId, [...new Set(named.flatMap(({ ids }) => ids))])
    for (const { kind, ids, isOfItems } of notices) {
      const own = isOfItems && ids.length <= noticeItemLimit ? ids : []
      const items = own.map((id) => rows.get(id)).filter((item) => item !== undefined)
      tell(organizationId, { kind, ids: ids.length > maxNamedIds ? [] : [...ids], items }, unreadBy)
    }
  }

  return {
    subscriber: defineImmediateSubscriber('feedback_feed', followedEvents, run, {
      concerns: followers.has,
      onMessage: async (organizationId, { kind, ids }) => {
        if (!followers.has(organizationId)) return
        if (kind === 'access.changed') {
          for (const follower of listFollowers(organizationId))
            if (ids.includes(follower.userId)) follower.onAccessChanged()
          return
        }
        if (!Check(ChangeNotice.properties.kind, kind)) return
        await announce(organizationId, [{ kind, ids, isOfItems: kind === 'feedback.updated' }])
      },
      onGap: endAll,
    }),
    follow: followers.add,
    wakeAll: () => wake(followers.listAll()),
    close: endAll,
  }
}

/** Tells each follower something, one after the other, so that all of them do not ask at once. */
function wake(followers: readonly Follower[]): void {
  for (const [index, follower] of followers.entries()) {
    const notice: ChangeNotice = { kind: 'notifications', ids: [follower.userId], items: [] }
    const tell = () => follower.onNotice(notice, JSON.stringify(notice))
    setTimeout(tell, (index * wakeWithinMs) / followers.length).unref()
  }
}

/** Those who follow, by organisation. */
function createFollowers() {
  const byOrganization = new Map<string, Set<Follower>>()
  return {
    has: (organizationId: string) => byOrganization.has(organizationId),
    list: (organizationId: string) => [...(byOrganization.get(organizationId) ?? [])],
    listAll: () => [...byOrganization.values()].flatMap((each) => [...each]),
    /** @returns what ends the following. */
    add: (organizationId: string, follower: Follower) => {
      const own = byOrganization.get(organizationId) ?? new Set()
      own.add(follower)
      byOrganization.set(organizationId, own)
      return () => {
        own.delete(follower)
        if (own.size === 0) byOrganization.delete(organizationId)
      }
    },
  }
}

/** Ids of the items that are unread, by user. */
type UnreadBy = ReadonlyMap<string, readonly string[]>

const noRows = { rows: new Map<string, FeedbackListItem>(), unreadBy: new Map<string, string[]>() }

/** A notice for those who have these items to read. */
function write(notice: ChangeNotice, unread: readonly string[]): { personal: ChangeNotice; text: string } {
  const items = notice.items.map((item) => ({ ...item, unread: unread.includes(item.id) }))
  const personal = { ...notice, items }
  return { personal, text: JSON.stringify(personal) }
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
    return { kind, ids: [...ids], isOfItems: kind === 'feedback.created' || kind === 'feedback.updated' }
  }
  const arrivals = new Set<FollowedEvent>(['feedback.created', 'feedback.locked'])
  const others = new Set<FollowedEvent>([...arrivals, 'project.deleted', ...accessEvents])
  return [
    collect('feedback.created', (name) => arrivals.has(name)),
    collect('feedback.updated', (name) => !others.has(name) && !isOfBilling(name)),
    collect('project.deleted', (name) => name === 'project.deleted'),
    collect('subscription.changed', isOfBilling),
  ].filter(({ ids }) => ids.length > 0)
}
