import { watchFeedback } from '#contract/feedback.ts'
import { ApiError } from './api.ts'
import { followEvents } from './events.ts'

interface Follower {
  /** Called with the parsed JSON of every event. */
  onEvent: (data: unknown) => void
  /** Called at every connection. Events before one that has just been made are not repeated: load what is shown again. */
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
}

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

function connect(organizationId: string): Connection {
  const connection: Connection = { followers: new Set(), ending: new AbortController(), isOpen: false }
  connections.set(organizationId, connection)
  const lose = (refusal?: ApiError) => {
    connection.isOpen = false
    for (const each of [...connection.followers]) each.onLost?.(refusal)
  }
  followEvents(watchFeedback, {
    params: { organizationId },
    signal: connection.ending.signal,
    onEvent: (data) => {
      for (const each of [...connection.followers]) each.onEvent(data)
    },
    onOpen: () => {
      connection.isOpen = true
      for (const each of [...connection.followers]) each.onOpen?.(true)
    },
    onLost: lose,
  }).catch((error: unknown) => {
    lose()
    if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) return
    // The next subscriber opens a new connection.
    if (connections.get(organizationId) === connection) connections.delete(organizationId)
    for (const each of [...connection.followers]) each.onRefused?.(error)
  })
  return connection
}
