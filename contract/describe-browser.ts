/** First match wins: browsers also name those whose pages they want to be given. */
const browsers: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+(?:\.\d+)?).* Safari\//],
]

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\(iPhone;/],
  ['iPad', /\(iPad;/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh;/],
  ['Linux', /\bLinux\b/],
]

/**
 * The browser in words, from what it says about itself: `Firefox 145 on Windows`.
 *
 * @param userAgent as sent by the browser; may be any text
 * @returns undefined for an unknown browser
 */
export function describeBrowser(userAgent: string): string | undefined {
  for (const [name, version] of browsers) {
    const number = version.exec(userAgent)?.[1]
    if (number === undefined) continue
    const system = systems.find(([, sign]) => sign.test(userAgent))?.[0]
    return system === undefined ? `${name} ${number}` : `${name} ${number} on ${system}`
  }
  return undefined
}
