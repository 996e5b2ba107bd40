import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidV7 } from 'uuid'

/** A submission and its last answer. */
export interface Sending {
  readonly id: string
  readonly widgetKey: string
  readonly message: string
  /** The number in the receipt; undefined as long as nothing was acknowledged. */
  number: number | undefined
}

export interface Senders {
  /** Everything ever tried, by id. */
  readonly sendings: ReadonlyMap<string, Sending>
  /** Answers that no sender should get, e.g. `422 {…}`. */
  readonly wrongAnswers: readonly string[]
  acknowledged(): Sending[]
  /** No new items; resolves when every sender has its receipt, or gave up. */
  finish(): Promise<void>
}

const retryMs = 50
const answerTimeoutMs = 5_000

/** A repeatable source of chance: the same seed gives the same numbers from 0 up to 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Sends one submission, once. */
export function submit(url: string, sending: Sending): Promise<Response> {
  return fetch(`${url}/e/${sending.widgetKey}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id: sending.id,
      type: 'bug',
      message: sending.message,
      page: { url: 'https://shop.example/cart' },
      guard: { elapsedMs: 20_000 },
      metadata: { sentBy: 'senders' },
    }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
}

/**
 * Visitors who send one submission after another and repeat each, under the same id, until it is acknowledged, as the
 * widget does. Some send it twice at once, as a retry that overtakes its first try.
 *
 * @param options.retry false: a sender without an answer continues with the next item.
 * @param options.restMs how long each waits between two items. Default: not at all.
 */
export function startSenders(options: {
  url: string
  widgetKeys: readonly string[]
  count: number
  random: () => number
  retry?: boolean
  restMs?: number
}): Senders {
  const { url, widgetKeys, count, random, retry = true, restMs = 0 } = options
  const sendings = new Map<string, Sending>()
  const wrongAnswers: string[] = []
  let isOver = false

  async function send(sending: Sending): Promise<void> {
    const response = await submit(url, sending).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response === undefined || text === undefined || response.status >= 500) return
    if (response.status !== 200 && response.status !== 201) {
      wrongAnswers.push(`${response.status} ${text}`)
      return
    }
    const receipt = JSON.parse(text) as { id: string; number: number }
    if (receipt.id !== sending.id || (sending.number !== undefined && sending.number !== receipt.number)) {
      wrongAnswers.push(`${response.status} ${text}, but #${sending.number} was acknowledged before`)
    }
    sending.number = receipt.number
  }

  async function runSender(): Promise<void> {
    while (!isOver) {
      const id = uuidV7()
      const widgetKey = widgetKeys[Math.floor(random() * widgetKeys.length)] ?? ''
      const sending: Sending = { id, widgetKey, message: `The button of ${id} does nothing.`, number: undefined }
      sendings.set(id, sending)
      do {
        await Promise.all(random() < 0.1 ? [send(sending), send(sending)] : [send(sending)])
        if (sending.number === undefined) await pause(retryMs)
      } while (sending.number === undefined && wrongAnswers.length === 0 && retry)
      if (restMs > 0) await pause(restMs)
    }
  }

  const senders = Array.from({ length: count }, runSender)
  return {
    sendings,
    wrongAnswers,
    acknowledged: () => [...sendings.values()].filter((sending) => sending.number !== undefined),
    finish: async () => {
      isOver = true
      await Promise.all(senders)
    },
  }
}
