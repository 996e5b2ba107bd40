/** First match wins: browsers also name those whose pages they want to be given. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.* Safari\//],
]

/** The browser's name from what it says about itself; empty for what names none that we know. */
export function nameBrowser(userAgent: string): string {
  return browsers.find(([, sign]) => sign.test(userAgent))?.[0] ?? ''
}

/** `de-AT` → `AT`, `zh-Hant-TW` → `TW`; empty where a language tag (BCP 47) names no country. */
export function nameCountry(language: string): string {
  const subtags = language.split(/[-_]/).slice(1)
  return subtags.find((subtag) => /^[a-z]{2}$/i.test(subtag))?.toUpperCase() ?? ''
}

const maxPageLength = 200

/**
 * A page's address as it is counted: host and path in which numbers and ids are `*`, so that all orders are one page.
 * Empty for what is no address.
 */
export function namePage(url: string): string {
  const match = /^(?:https?:\/\/)?([^/\s]*)(\/.*)?$/i.exec(url.trim())
  if (!match) return ''
  const [, host = '', path = ''] = match
  const parts = path.split('/').filter((part) => part !== '')
  const page = [host.toLowerCase(), ...parts.map((part) => (isId(part) ? '*' : part))].join('/')
  return [...page].slice(0, maxPageLength).join('')
}

function isId(part: string): boolean {
  return (
    /^\d+$/.test(part) ||
    /^[0-9a-f-]{16,}$/i.test(part) ||
    (part.length >= 20 && /\d/.test(part) && /^[\w-]+$/.test(part) && !part.includes('-'))
  )
}
