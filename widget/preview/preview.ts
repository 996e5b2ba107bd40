/*
 * An example page in the settings' preview, with the real widget on it. The screen around it names the draft to show.
 * Submissions stay in the page: the server's answers are simulated.
 */

interface Wish {
  readonly widgetKey: string
  /** Names a state of the draft; null: the published settings. */
  readonly draft: string | null
  readonly scheme: 'light' | 'dark'
  /** Empty: the browser's. */
  readonly locale: string
}

type Earshot = (command: string, ...args: unknown[]) => unknown

// Set by the loader; undefined until then.
const readEarshot = () => (window as unknown as { earshot?: Earshot }).earshot

let shown: Wish | undefined

function show(wish: Wish): void {
  const previous = shown
  shown = wish
  document.documentElement.dataset.scheme = wish.scheme
  const isSame = previous?.widgetKey === wish.widgetKey && previous.draft === wish.draft
  if (isSame && previous.locale === wish.locale) return
  const wasOpen = readEarshot()?.('isOpen') === true
  readEarshot()?.('destroy')
  const script = document.createElement('script')
  const query = wish.draft === null ? '?own' : `?draft=${encodeURIComponent(wish.draft)}`
  script.src = `/e/${encodeURIComponent(wish.widgetKey)}.js${query}`
  script.onload = () => {
    const earshot = readEarshot()
    if (wish.locale) earshot?.('setLocale', wish.locale)
    if (wasOpen) earshot?.('open')
    script.remove()
  }
  document.head.append(script)
}

const answer = (status: number, headers: Record<string, string>, body?: unknown) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status, headers })

/** Bytes received by each simulated upload. */
const offsets = new Map<string, number>()

/** Answers the widget's requests as an idle server would. */
async function pretend(url: URL, init: RequestInit): Promise<Response> {
  if (url.pathname.endsWith('/submissions')) {
    // The widget's own submission.
    const { id } = JSON.parse(String(init.body)) as { id: string }
    return answer(201, { 'content-type': 'application/json' }, { id, number: 1 })
  }
  if (url.pathname.endsWith('/items')) {
    return answer(200, { 'content-type': 'application/json' }, { items: [] })
  }
  if (init.method === 'POST') {
    const path = `${url.pathname}/${crypto.randomUUID()}`
    offsets.set(path, 0)
    return answer(201, { location: path, 'upload-offset': '0', 'tus-resumable': '1.0.0' })
  }
  const length = init.body instanceof Blob ? init.body.size : 0
  const offset = (offsets.get(url.pathname) ?? 0) + length
  offsets.set(url.pathname, offset)
  return answer(init.method === 'HEAD' ? 200 : 204, { 'upload-offset': `${offset}`, 'tus-resumable': '1.0.0' })
}

const realFetch = window.fetch
window.fetch = (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (/^\/e\/[^/]+\/(submissions|items|uploads)/.test(url.pathname)) return pretend(url, init)
  return realFetch(input, init)
}
navigator.sendBeacon = () => true

window.addEventListener('message', ({ source, origin, data }: MessageEvent<Wish | undefined>) => {
  // Developer tools and extensions send messages of their own to every frame.
  if (source === window.parent && origin === location.origin && typeof data?.widgetKey === 'string') show(data)
})
window.parent.postMessage('ready', location.origin)
