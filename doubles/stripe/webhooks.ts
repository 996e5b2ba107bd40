/*
 * Sends events to webhook endpoints, signed as Stripe signs (https://docs.stripe.com/webhooks/signature): `t=` the time and
 * `v1=` the HMAC-SHA256 of the time, a dot and the raw body. Tests can lose, repeat, delay and reorder them.
 */
import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { WebhookEndpointState } from './account.ts'

/** Milliseconds until a failed delivery is repeated. Stripe repeats for up to three days, with growing pauses. */
const defaultRetryDelaysMs: readonly number[] = [1000, 5000, 30_000]

/** One attempt to send an event. */
interface Delivery {
  readonly event: string
  readonly type: string
  readonly url: string
  /** Of the response; undefined without one. */
  readonly status: number | undefined
}

/** How events are sent, changed by tests at any time. */
export interface WebhookSwitches {
  /** How often each event is sent. */
  copies: number
  /** Before an event is sent, in milliseconds. */
  delayMs: number
  /** Which events are lost. */
  drop: (event: Stripe.Event) => boolean
  /** Pauses between repeated deliveries, in milliseconds. */
  retryDelaysMs: readonly number[]
}

interface Message {
  readonly event: Stripe.Event
  readonly endpoint: WebhookEndpointState
}

/** Delivers in the order of the events, one at a time, as long as no switch says otherwise. */
export class WebhookSender {
  readonly switches: WebhookSwitches = {
    copies: 1,
    delayMs: 0,
    drop: () => false,
    retryDelaysMs: defaultRetryDelaysMs,
  }
  readonly #deliveries: Delivery[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stop = new AbortController()
  #held: Message[] | undefined
  #queue = Promise.resolve()
  #pending = 0

  /** Attempts so far, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  send(event: Stripe.Event, endpoints: readonly WebhookEndpointState[]): void {
    if (this.switches.drop(event)) return
    const messages = endpoints.filter((endpoint) => isWanted(endpoint, event)).map((endpoint) => ({ event, endpoint }))
    for (const message of messages)
      for (let copy = 0; copy < this.switches.copies; copy += 1)
        if (this.#held) this.#held.push(message)
        else this.#enqueue(message)
  }

  /** Sends an event again, whatever the switches say. */
  replay(event: Stripe.Event, endpoints: readonly WebhookEndpointState[]): void {
    for (const endpoint of endpoints) if (isWanted(endpoint, event)) this.#enqueue({ event, endpoint })
  }

  /** Keeps events back until `release`. */
  hold(): void {
    this.#held ??= []
  }

  /** Sends the kept events in another order, by default the reverse one. */
  release(
    reorder: (events: readonly Stripe.Event[]) => readonly Stripe.Event[] = (events) => events.toReversed(),
  ): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of reorder(held.map((message) => message.event))) {
      const message = held.find((each) => each.event === event)
      if (message) this.#enqueue(message)
    }
  }

  /** Resolves when no delivery is under way; repeated deliveries and kept events do not count. */
  async whenIdle(): Promise<void> {
    while (this.#pending > 0) await this.#queue
  }

  stop(): void {
    this.#stop.abort()
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #enqueue(message: Message, attempt = 0): void {
    this.#pending += 1
    this.#queue = this.#queue
      .then(() => this.#deliver(message, attempt))
      .finally(() => {
        this.#pending -= 1
      })
  }

  async #deliver(message: Message, attempt: number): Promise<void> {
    const { event, endpoint } = message
    if (this.switches.delayMs > 0) await this.#pause(this.switches.delayMs)
    if (this.#stop.signal.aborted) return
    const status = await this.#post(event, endpoint)
    this.#deliveries.push({ event: event.id, type: event.type, url: endpoint.url, status })
    if (status !== undefined && status >= 200 && status < 300) {
      event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
      return
    }
    const delayMs = this.switches.retryDelaysMs[attempt]
    if (delayMs === undefined) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#enqueue(message, attempt + 1)
    }, delayMs)
    this.#timers.add(timer.unref())
  }

  async #post(event: Stripe.Event, endpoint: WebhookEndpointState): Promise<number | undefined> {
    const body = JSON.stringify(event, null, 2)
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', endpoint.signingSecret).update(`${time}.${body}`).digest('hex')
    try {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(20_000)]),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': `t=${time},v1=${signature}`,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      // Nothing listens there, or the double stops: Stripe repeats the delivery as after a refusal.
      return undefined
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        resolve()
      }, ms)
      this.#timers.add(timer)
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

function isWanted({ enabled_events: wanted, status }: WebhookEndpointState, event: Stripe.Event): boolean {
  return status === 'enabled' && (wanted.includes('*') || wanted.includes(event.type))
}
