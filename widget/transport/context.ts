import type { Rings, Stage } from '../loader/stage.ts'
import { within } from './within.ts'
import { withoutCredentials } from './without-credentials.ts'

/** Bytes of JSON: the contract's limit of a context (64 kB), with a margin. */
const maxBytes = 63_000

/** Properties that some browsers lack, and TypeScript's library too. */
interface Hints {
  connection?: { effectiveType?: string; saveData?: boolean }
  deviceMemory?: number
  userAgentData?: { getHighEntropyValues(hints: string[]): Promise<unknown> }
}

type Lists = Pick<Rings, 'console' | 'network' | 'routes'> & { truncated?: boolean }

/** Drops the oldest entries of the longest list until the context fits, and sets `truncated`. */
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
 * The present state of page and browser, and the page's recent activity, as far as the project's settings allow: at most
 * 64 kB of JSON. The page's own address and title are part of the submission.
 */
export async function readContext({ rings: { clicked, ...lists } }: Stage): Promise<Record<string, unknown>> {
  const { userAgent, language, languages, onLine, hardwareConcurrency } = navigator
  // Chromium only; TypeScript does not declare them.
  const { connection, deviceMemory, userAgentData } = navigator as Hints
  // Entries of this kind have this type.
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const matches = (query: string) => matchMedia(`(${query})`).matches
  return boundContext({
    userAgent,
    // Some browsers give the system's version only here, not in the user agent.
    system: await within(userAgentData?.getHighEntropyValues(['platformVersion', 'model'])).catch(() => {}),
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
    // Without query and fragment: these are private to the other page.
    referrer: document.referrer.replace(/[?#].*/, ''),
    clicked: writePath(clicked),
    // Milliseconds from the start of the page's load.
    load: [loading?.responseStart, loading?.domContentLoadedEventEnd, loading?.loadEventEnd],
    // A copy, of the same type.
    ...(JSON.parse(withoutCredentials(JSON.stringify(lists))) as typeof lists),
  })
}
