import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Counters } from './counters.ts'
import { readLanguage, takesBrotli } from './read-browser.ts'
import type { Rendered } from './render.ts'
import type { Widget } from './widget.queries.ts'
import type { WidgetCache } from './widget-cache.ts'

/** The loader again, as the route has answered it, without what a request costs otherwise: every view of every page asks for it. */
export interface EarlyLoader {
  /** Answers what the route has answered for the same widget, language and state of the browser's cache; else leaves it to the route. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Keeps an answer of the route. Only those compressed by Brotli: that is what browsers ask for on HTTPS. */
  keep(widget: object, headers: IncomingHttpHeaders, answer: RouteAnswer): void
}

interface RouteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rendered: Rendered
}

interface KeptAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly head: readonly string[]
  readonly body: Buffer | undefined
}

/** The answers for one widget in one language. */
interface KeptAnswers {
  readonly etag: string
  readonly whole?: KeptAnswer
  readonly notModified?: KeptAnswer
}

// A query asks for a draft or a test, or is another address to caches.
const address = /^\/e\/(wk_[A-Za-z0-9_-]{22})\.js$/
const route = '/e/:file'

export function createEarlyLoader(parts: {
  readonly widgets: Pick<WidgetCache, 'findKnown'>
  readonly counters: Pick<Counters, 'noteLoad'>
  readonly metrics: Metrics | null
}): EarlyLoader {
  const { widgets, counters, metrics } = parts
  const kept = new WeakMap<object, Map<string, KeptAnswers>>()

  function find(widget: Widget, headers: IncomingHttpHeaders): KeptAnswer | undefined {
    if (!takesBrotli(headers)) return undefined
    const answers = kept.get(widget)?.get(readLanguage(headers))
    return headers['if-none-match'] === answers?.etag ? answers?.notModified : answers?.whole
  }

  return {
    answer(request, response) {
      if (request.method !== 'GET') return false
      const key = address.exec(request.url ?? '')?.[1]
      const widget = key === undefined ? undefined : widgets.findKnown(key)
      const answer = widget && find(widget, request.headers)
      if (key === undefined || !answer) return false
      const startedAtMs = metrics ? performance.now() : 0
      counters.noteLoad(key)
      response.writeHead(answer.status, [...answer.head, 'x-request-id', randomUUID()]).end(answer.body)
      metrics?.observeRequest('GET', route, answer.status, (performance.now() - startedAtMs) / 1000)
      return true
    },

    keep(widget, requested, { status, headers, rendered: { brotli, etag } }) {
      if (!takesBrotli(requested)) return
      const { 'x-request-id': _ownOfEach, ...shared } = headers
      const head = Object.entries(shared).flatMap(([name, value]) => [name, String(value)])
      const answer = { status, head, body: status === 200 ? brotli : undefined }
      const answers = kept.get(widget) ?? new Map<string, KeptAnswers>()
      kept.set(widget, answers)
      const language = readLanguage(requested)
      answers.set(language, {
        ...{ ...answers.get(language), etag },
        ...(status === 200 ? { whole: answer } : { notModified: answer }),
      })
    },
  }
}
