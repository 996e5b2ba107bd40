import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidV7 } from 'uuid'

export interface Commenters {
  /** Ids of comments that the server has acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Answers that no one should get, e.g. `422 {…}`. */
  readonly wrongAnswers: readonly string[]
  /** No new comments; resolves when each is acknowledged. */
  finish(): Promise<void>
}

const retryMs = 50
const answerTimeoutMs = 5_000

/** Members who write one note after another on an item, and repeat each under the same id until it is acknowledged. */
export function startCommenters(options: {
  url: string
  organizationId: string
  feedbackId: string
  token: string
  count: number
  restMs: number
}): Commenters {
  const { url, organizationId, feedbackId, token, count, restMs } = options
  const acknowledged = new Set<string>()
  const wrongAnswers: string[] = []
  let isOver = false

  async function write(id: string): Promise<void> {
    const reply = await fetch(`${url}/api/v1/organizations/${organizationId}/feedback/${feedbackId}/comments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, kind: 'note', text: `Note ${id}` }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    }).catch(() => undefined)
    const text = await reply?.text().catch(() => undefined)
    if (reply === undefined || text === undefined || reply.status >= 500) return
    if (reply.status === 200 || reply.status === 201) acknowledged.add(id)
    else wrongAnswers.push(`${reply.status} ${text}`)
  }

  async function runCommenter(): Promise<void> {
    while (!isOver) {
      const id = uuidV7()
      while (!acknowledged.has(id) && wrongAnswers.length === 0) {
        await write(id)
        if (!acknowledged.has(id)) await pause(retryMs)
      }
      await pause(restMs)
    }
  }

  const commenters = Array.from({ length: count }, runCommenter)
  return {
    acknowledged,
    wrongAnswers,
    finish: async () => {
      isOver = true
      await Promise.all(commenters)
    },
  }
}
