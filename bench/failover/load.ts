import { setTimeout as pause } from 'node:timers/promises'
import { makeSubmission } from '#server/testing/visitor.ts'

/** Visitors at an even pace, and readers beside them. */
export interface Load {
  /** Moments of acknowledged submissions, by `performance.now()`. */
  readonly acknowledgedAt: readonly number[]
  /** Number of the receipt, by id. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** Answers that no one should get, e.g. another number for the same id. */
  readonly wrongAnswers: readonly string[]
  longestRequestMs(): number
  /** Of reads that were not answered with 200, by what was answered. */
  readonly failedReads: Readonly<Record<string, number>>
  reads(): number
  /** No new items; resolves when every visitor has the receipt. */
  finish(): Promise<void>
}

export interface LoadOptions {
  readonly url: string
  readonly widgetKey: string
  readonly origin: string
  readonly perSecond: number
  readonly readsPerSecond: number
  /** Paths that the readers ask for in turn, with the headers of each. */
  readonly reads: readonly { path: string; headers: Readonly<Record<string, string>> }[]
}

/** Longer than any request may take: what hangs is measured, not cut off. */
const answerTimeoutMs = 60_000
/** Visitors who wait for a receipt at once; the pace slows down beyond. */
const mostWaiting = 600
const longestRetryMs = 1_000
/** Of the product while the database is away, and of the proxy while no web process is ready. */
const awayStatuses = new Set([502, 503, 504])

/** Starts it. Each visitor repeats the same submission until it is acknowledged, as the widget does. */
export function startLoad(options: LoadOptions): Load {
  const client = createClient(options.url)
  const visitors = createVisitors(client.ask, options)
  const readers = createReaders(client.ask, options.reads)
  const pace = createPace()
  const pacing = [pace.keep(options.perSecond, visitors.visit), pace.keep(options.readsPerSecond, readers.read)]
  return {
    acknowledgedAt: visitors.acknowledgedAt,
    acknowledged: visitors.acknowledged,
    wrongAnswers: visitors.wrongAnswers,
    longestRequestMs: client.longestRequestMs,
    failedReads: readers.failedReads,
    reads: readers.count,
    finish: async () => {
      pace.end()
      await Promise.all(pacing)
      await Promise.all(pace.waiting)
    },
  }
}

/** @returns the answer; undefined: there was none. */
type Ask = (path: string, init: RequestInit) => Promise<{ status: number; text: string } | undefined>

/** Asks the product, and measures the longest request. */
function createClient(url: string): { ask: Ask } & Pick<Load, 'longestRequestMs'> {
  let longestMs = 0
  return {
    ask: async (path, init) => {
      const startedAt = performance.now()
      try {
        const reply = await fetch(url + path, { ...init, signal: AbortSignal.timeout(answerTimeoutMs) })
        return { status: reply.status, text: await reply.text() }
      } catch {
        return undefined
      } finally {
        longestMs = Math.max(longestMs, performance.now() - startedAt)
      }
    },
    longestRequestMs: () => longestMs,
  }
}

interface Visitors extends Pick<Load, 'acknowledgedAt' | 'acknowledged' | 'wrongAnswers'> {
  /** Resolves when the visitor has the receipt. */
  visit(): Promise<void>
}

function createVisitors(ask: Ask, { widgetKey, origin }: Pick<LoadOptions, 'widgetKey' | 'origin'>): Visitors {
  const acknowledgedAt: number[] = []
  const acknowledged = new Map<string, number>()
  const wrongAnswers: string[] = []

  async function visit(): Promise<void> {
    const id = crypto.randomUUID()
    const body = JSON.stringify(makeSubmission({ id, message: `The button of ${id} does nothing.` }))
    const headers = { origin, 'content-type': 'application/json' }
    for (let attempt = 0; ; attempt += 1) {
      const reply = await ask(`/e/${widgetKey}/submissions`, { method: 'POST', headers, body })
      if (reply?.status === 200 || reply?.status === 201) {
        const receipt = JSON.parse(reply.text) as { id: string; number: number }
        if (receipt.id !== id) wrongAnswers.push(`${reply.status} ${reply.text} for ${id}`)
        acknowledged.set(id, receipt.number)
        acknowledgedAt.push(performance.now())
        // Lost answers are asked for again: the receipt stays the same.
        if (attempt > 0) await askAgain(id, receipt.number, { method: 'POST', headers, body })
        return
      }
      if (reply !== undefined && !awayStatuses.has(reply.status)) wrongAnswers.push(`${reply.status} ${reply.text}`)
      await pause(Math.min(longestRetryMs, 200 * 2 ** attempt) * (0.5 + Math.random() / 2))
    }
  }

  async function askAgain(id: string, number: number, init: RequestInit): Promise<void> {
    const reply = await ask(`/e/${widgetKey}/submissions`, init)
    if (reply === undefined || reply.status >= 500) return
    const isSame = reply.status === 200 && (JSON.parse(reply.text) as { number: number }).number === number
    if (!isSame) wrongAnswers.push(`${reply.status} ${reply.text}, but #${number} of ${id} was acknowledged before`)
  }

  return { acknowledgedAt, acknowledged, wrongAnswers, visit }
}

interface Readers extends Pick<Load, 'failedReads'> {
  read(turn: number): Promise<void>
  count(): number
}

function createReaders(ask: Ask, wantedReads: LoadOptions['reads']): Readers {
  const failedReads: Record<string, number> = {}
  let count = 0
  return {
    failedReads,
    count: () => count,
    read: async (turn) => {
      const wanted = wantedReads[turn % wantedReads.length]
      if (!wanted) return
      const reply = await ask(wanted.path, { headers: wanted.headers })
      count += 1
      if (reply?.status === 200) return
      const what = `GET ${reply?.status ?? 'no answer'}`
      failedReads[what] = (failedReads[what] ?? 0) + 1
    },
  }
}

interface Pace {
  /** Acts so many times a second; resolves after the end. */
  keep(rate: number, act: (turn: number) => Promise<void>): Promise<void>
  /** Begins nothing new. */
  end(): void
  /** Acts under way. */
  readonly waiting: ReadonlySet<Promise<void>>
}

function createPace(): Pace {
  const waiting = new Set<Promise<void>>()
  let isOver = false
  return {
    keep: async (rate, act) => {
      const startedAt = performance.now()
      for (let turn = 0; !isOver; turn += 1) {
        await pause(Math.max(0, startedAt + (turn * 1_000) / rate - performance.now()))
        while (waiting.size >= mostWaiting && !isOver) await pause(50)
        const acting = act(turn).finally(() => waiting.delete(acting))
        waiting.add(acting)
      }
    },
    end: () => {
      isOver = true
    },
    waiting,
  }
}
