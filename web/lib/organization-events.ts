import { watchFeedback } from '#contract/feedback.ts'
import { ApiError } from './api.ts'
import { followEvents } from './events.ts'

interface Follower {
  /** Called with the parsed JSON of every event. */
  onEvent: (data: unknown) => void
  /**
   * Called at every connection. Events before it are not repeated: if some may have been missed, read again what is
   * shown.
   */
  onOpen?: (mayHaveMissed: boolean) => void
  /** @param refusal what the server answered, if it refused the connection for now. */
  onLost?: (refusal?: ApiError) => void
  /** Called once when the organisation is not the person's to follow any more; nothing comes after it. */
  onRefused?: (error: ApiError) => void
}

interface Connection {
  readonly followers: Set<Follower>
  readonly ending: AbortController
  isOpen: boolean
  /** Resolves when the first attempt has succeeded or failed, or takes too long to be waited for. */
  readonly attempted: Promise<void>
  /** Whether something was read without it, or while it was lost. */
  isBehind: boolean
}

/** Reading waits for the connection at most this long. A connection that takes longer leads to a second read. */
const longestWaitMs = 2000

/** The person is no member any more (404), may not follow (403), or the organisation is closed (410). */
const endingStatuses = new Set([403, 404, 410])

const connections = new Map<string, Connection>()

/** Follows what happens in an organisation, over one connection for all who do. @returns what ends the following. */
export function followOrganization(organizationId: string, follower: Follower): () => void {
  const connection = connections.get(organizationId) ?? connect(organizationId)
  connection.followers.add(follower)
  if (connection.isOpen) follower.onOpen?.(false)
  return () => {
    connection.followers.delete(follower)
    if (connection.followers.size > 0) return
    connection.ending.abort()
    if (connections.get(organizationId) === connection) connections.delete(organizationId)
  }
}

/**
 * Waits until events of the organisation arrive: whatever is read from then on misses none, and need not be read again.
 * After a failed attempt, or two seconds, reading begins without; it is repeated once events arrive.
 */
export async function awaitEvents(organizationId: string): Promise<void> {
  const unfollow = followOrganization(organizationId, { onEvent: () => {} })
  const connection = connections.get(organizationId)
  await connection?.attempted
  if (connection && !connection.isOpen) connection.isBehind = true
  unfollow()
}

function connect(organizationId: string): Connection {
  const attempt = Promise.withResolvers<void>()
  setTimeout(attempt.resolve, longestWaitMs)
  const connection: Connection = {
    followers: new Set(),
    ending: new AbortController(),
    isOpen: false,
    attempted: attempt.promise,
    isBehind: false,
  }
  connections.set(organizationId, connection)
  const lose = (refusal?: ApiError) => {
    connection.isOpen = false
    connection.isBehind = true
    attempt.resolve()
    for (const each of [...connection.followers]) each.onLost?.(refusal)
  }
  followEvents(watchFeedback, {
    params: { organizationId },
    signal: connection.ending.signal,
    onEvent: (data) => {
      for (const each of [...connection.followers]) each.onEvent(data)
    },
    onOpen: () => {
      const mayHaveMissed = connection.isBehind
      connection.isOpen = true
      connection.isBehind = false
      attempt.resolve()
      for (const each of [...connection.followers]) each.onOpen?.(mayHaveMissed)
    },
    onLost: lose,
  }).catch((error: unknown) => {
    lose()
    if (!(error instanceof ApiError) || !endingStatuses.has(error.status)) return
    // The next subscriber opens a new connection.
    if (connections.get(organizationId) === connection) connections.delete(organizationId)
    for (const each of [...connection.followers]) each.onRefused?.(error)
  })
  return connection
}
