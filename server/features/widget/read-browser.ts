import type { IncomingHttpHeaders } from 'node:http'
import { type WidgetLocale, widgetLocales } from '#contract/widget-settings.ts'

/** The browser's first language, as the loader reads it from `navigator.language`; English for unsupported languages. */
export function readLanguage(headers: IncomingHttpHeaders): WidgetLocale {
  const first = headers['accept-language']?.slice(0, 2).toLowerCase()
  return widgetLocales.find((each) => each === first) ?? 'en'
}

export function takesBrotli(headers: IncomingHttpHeaders): boolean {
  return /(^|[\s,])br([\s,;]|$)/.test(headers['accept-encoding'] ?? '')
}
