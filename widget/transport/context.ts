import type { Rings, Stage } from '../loader/stage.ts'

/** Bytes of JSON: what the contract takes of a context (64 kB), with a little room. */
const maxBytes = 63_000

/** What not every browser has, and the types do not know. */
interface Hints {
  connection?: { effectiveType?: string; saveData?: boolean }
  deviceMemory?: number
  userAgentData?: { getHighEntropyValues(hints: string[]): Promise<unknown> }
}

type Lists = Pick<Rings, 'console' | 'network' | 'routes'> & { truncated?: boolean }

/** Leaves out what is oldest in the longest list until it fits, and says so: `truncated`. */
export function boundContext<Context extends Lists>(context: Context): Context {
  const { console, network, routes } = context
  while (new Blob([JSON.stringify(context)]).size > maxBytes) {
    const [longest] = [console, network, routes].sort((a, b) => b.length - a.length)
    if (!longest?.splice(0, 5).length) break
    context.truncated = true
  }
  return context
}

/** Where an element is, as a CSS path from the next element with an id. */
function writePath(element: Element | undefined): string {
  if (!element || element.id) return element ? `#${element.id}` : ''
  const { parentElement, localName } = element
  if (!parentElement) return localName
  return `${writePath(parentElement)}>${localName}:nth-child(${[...parentElement.children].indexOf(element) + 1})`
}

/**
 * What the page and the browser look like now, and what happened on the page before, as far as the project lets the
 * loader remember it: at most 64 kB of JSON. The page's own address and title are part of the submission.
 */
export async function readContext({ rings }: Stage): Promise<Record<string, unknown>> {
  const { userAgent, language, languages, onLine, hardwareConcurrency } = navigator
  const { connection, deviceMemory, userAgentData } = navigator as Hints
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const matches = (query: string) => matchMedia(`(${query})`).matches
  return boundContext({
    userAgent,
    // Browsers that keep the version of the system out of their user agent tell it here.
    system: await userAgentData?.getHighEntropyValues(['platformVersion', 'model']).catch(() => {}),
    language,
    languages,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    viewport: { width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio },
    zoom: visualViewport?.scale,
    screen: { width: screen.width, height: screen.height },
    colorScheme: matches('prefers-color-scheme:dark') ? 'dark' : 'light',
    reducedMotion: matches('prefers-reduced-motion'),
    touch: matches('pointer:coarse'),
    online: onLine,
    connection: connection?.effectiveType,
    saveData: connection?.saveData,
    memory: deviceMemory,
    cores: hardwareConcurrency,
    // Of another page only where it was: its query is nobody's business.
    referrer: document.referrer.replace(/[?#].*/, ''),
    clicked: writePath(rings.clicked),
    // Milliseconds from the start of the page's load.
    load: [loading?.responseStart, loading?.domContentLoadedEventEnd, loading?.loadEventEnd],
    routes: [...rings.routes],
    console: [...rings.console],
    network: [...rings.network],
  })
}
