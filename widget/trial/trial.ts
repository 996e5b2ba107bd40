/*
 * A page on which the published widget of any project is tried: it reports to the screen around it what the widget loads,
 * asks the server and says to its page, and can delay or cut the network.
 */

import type { TrialReport, TrialWish } from '#contract/trial-page.ts'

/** What a slow network adds to each request. */
const slowMs = 2_000
const longestAnswer = 300
const eventNames = ['load', 'open', 'close', 'capture', 'submit', 'submiterror', 'error'] as const

let network: TrialWish['network'] = 'normal'
let isStarted = false

const report = (what: TrialReport) => window.parent.postMessage(what, location.origin)
const now = () => Math.round(performance.now())
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const isWidgets = (url: string) => new URL(url, location.href).href.startsWith(new URL('./', location.href).href)

function readDetail(detail: unknown): string {
  try {
    return (JSON.stringify(detail) ?? '').slice(0, longestAnswer)
  } catch {
    return String(detail)
  }
}

/** Reports each request, and delays or refuses it as the network would. */
function watch(realFetch: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const atMs = now()
    const name = `${method} ${new URL(url, location.href).pathname}`
    const done = (status: number, answer: string) =>
      report({ kind: 'call', name, atMs, durationMs: now() - atMs, status, answer: answer.slice(0, longestAnswer) })
    if (network === 'slow') await pause(slowMs)
    // As browsers refuse it.
    if (network === 'offline') {
      done(0, 'Offline')
      throw new TypeError('Failed to fetch')
    }
    try {
      const response = await realFetch(input, init)
      // Before the widget has it: the end of a frame ends the reading.
      done(response.status, await response.clone().text())
      return response
    } catch (error) {
      done(0, String(error))
      throw error
    }
  }
}

// Before the loader: the widget calls `fetch` as it finds it, and after a failure that of an empty frame.
window.fetch = watch(window.fetch.bind(window))
const watched = new WeakSet<Window>()
const frameWindow = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')
Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
  get(this: HTMLIFrameElement) {
    // A window of the page's origin: no other frames are on this page.
    const inside = frameWindow?.get?.call(this) as (Window & { fetch: typeof fetch }) | null
    if (inside && !watched.has(inside)) {
      watched.add(inside)
      inside.fetch = watch(inside.fetch.bind(inside))
    }
    return inside
  },
})
// On the prototype, so that the page's own `navigator` reads it.
Object.defineProperty(Navigator.prototype, 'onLine', { get: () => network !== 'offline' })

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { name, startTime, duration, encodedBodySize, transferSize, initiatorType } =
      // The observer asks for entries of resources only.
      entry as PerformanceResourceTiming
    const { pathname } = new URL(name)
    const isPagesOwn = /\/(preview\.css|trial\.js)$/.test(pathname)
    if (!isWidgets(name) || isPagesOwn || initiatorType === 'fetch' || initiatorType === 'beacon') continue
    report({
      kind: 'file',
      name: pathname,
      atMs: Math.round(startTime),
      durationMs: Math.round(duration),
      bytes: encodedBodySize,
      isCached: transferSize === 0,
    })
  }
}).observe({ type: 'resource', buffered: true })

async function start({ widgetKey, scheme, locale }: TrialWish): Promise<void> {
  document.documentElement.dataset.scheme = scheme
  const script = document.createElement('script')
  script.src = `${encodeURIComponent(widgetKey)}.js?own`
  script.onerror = () => report({ kind: 'failed' })
  script.onload = () => {
    const { earshot } = window
    if (!earshot) return report({ kind: 'failed' })
    if (locale) earshot('setLocale', locale)
    earshot('setTheme', scheme)
    for (const name of eventNames) {
      earshot('on', name, (detail: unknown) => report({ kind: 'event', name, atMs: now(), detail: readDetail(detail) }))
    }
    report({ kind: 'shown', atMs: now() })
  }
  if (network === 'slow') await pause(slowMs)
  document.head.append(script)
}

function changeNetwork(next: TrialWish['network']): void {
  const was = network
  network = next
  if (was === 'offline' && next !== 'offline') window.dispatchEvent(new Event('online'))
  if (was !== 'offline' && next === 'offline') window.dispatchEvent(new Event('offline'))
}

window.addEventListener('message', ({ source, origin, data }: MessageEvent<TrialWish | undefined>) => {
  // Developer tools and extensions send messages of their own to every frame.
  if (source !== window.parent || origin !== location.origin || typeof data?.widgetKey !== 'string') return
  changeNetwork(data.network)
  if (isStarted) return
  isStarted = true
  void start(data)
})
report({ kind: 'ready' })
