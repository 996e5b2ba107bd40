import type { LoaderSettings } from '#contract/widget-settings.ts'
import { listen } from './listen.ts'
import type { Rings } from './stage.ts'
import { redact, writeEntry } from './texts.ts'
import { wrap } from './wrap.ts'

const mostEntries = 50

function push(ring: unknown[], ...entry: unknown[]): void {
  if (ring.push([Date.now(), ...entry]) > mostEntries) ring.shift()
}

/**
 * Records activity in this page only. Nothing is sent before the visitor sends feedback. Throws on pages that have removed
 * one of the observed objects or methods: what comes before is recorded.
 * @param crossOrigin the script element's own. Without it the browser hides errors that
 * involve a script of another origin, so that the page's error tracker would miss failed requests: then requests are not
 * recorded.
 */
export function keepRings(rings: Rings, settings: LoaderSettings, crossOrigin: string | null): void {
  const noteRoute = () => push(rings.routes, redact(location.href))
  noteRoute()
  // Browsers without the Navigation API record only the first address.
  listen(window.navigation ?? window, 'currententrychange', noteRoute)

  if (settings.console !== false) {
    listen(window, 'error unhandledrejection', (event: ErrorEvent & PromiseRejectionEvent) =>
      push(rings.console, 'error', writeEntry([event.reason ?? event.error ?? event.message])),
    )
    for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
      // `wrap` reads one method by its name; hooks declare its arguments.
      wrap(console as never, level, (values: unknown[]) => push(rings.console, level, writeEntry(values)))
    }
  }

  if (settings.network !== false && crossOrigin) {
    const startCall = (url: string, method = 'GET') => {
      const address = redact(new URL(url, document.baseURI).href)
      const start = Date.now()
      return (status = 0) => {
        // Skips the widget's own requests: their addresses contain the key.
        if (!address.includes(settings.key)) push(rings.network, method, address, status, Date.now() - start)
      }
    }
    // `wrap` reads one method by its name; hooks declare its arguments.
    wrap(window as never, 'fetch', ([input, options]: [Request, RequestInit?], _self, promise: Promise<Response>) => {
      const end = startCall(input.url ?? input, options?.method ?? input.method)
      // The page gets a derived promise, so that an unhandled rejection stays unhandled.
      promise.catch(() => end())
      return promise.then((response) => {
        end(response.status)
        return response
      })
    })
    // `wrap` reads one method by its name; hooks declare its arguments.
    wrap(XMLHttpRequest.prototype as never, 'open', ([method, url]: [string, string], request: XMLHttpRequest) => {
      const end = startCall(url, method)
      listen(request, 'loadend', () => end(request.status))
    })
  }
}
