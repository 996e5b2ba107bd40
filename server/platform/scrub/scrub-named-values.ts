import { isSecretName } from './secret-names.ts'

const hint = /pass|pwd|secret|token|key|auth|cred|cookie|jwt|otp|csrf|xsrf|cvv|cvc|ssn|bearer/gi
// Between name and value: `=`, `:`, `":"`, `\":\"` (JSON within JSON), `%3D` (URL within URL), `' => '`.
const separator = /\\{0,8}["'`]?\]?[ \t]{0,4}(?:=>|[:=]|%3[AD])[ \t]{0,4}/iy
const quotedValue = /(\\{0,8})(["'`])/y
const bareValue = /[^\s"'`,;&<>(){}[\]\\]+/y
// `Authorization: Basic dXNlcjpwYXNz`: only the part after the scheme is secret.
const scheme = /(?:basic|bearer|digest|token|negotiate)(?:[ \t]{1,4}|%20|\+)(?=\S)/iy
const harmless = /^(?:\[[a-z-]+\]|true|false|null|undefined|none|\*+)$/i
// A cookie header contains several values; all are redacted.
const cookieName = /cookies?$/i
const cookieValues = /[^\r\n"'`\\]+/y
// `key: value pairs …` and `invalid token: eof` are prose: after a colon and a space the value of these names must look
// generated. Values named password, secret or credential are always redacted.
const nameInProse = /(?:key|token|auth)s?$/i
const proseWord = /^[\p{L}][\p{Ll}’'.!?-]*$/u

/**
 * Redacts the values of secretly named fields written in a text: `password=hunter2`, `{"apiKey":"…"}`, query strings,
 * headers. Linear: every character is read a bounded number of times.
 */
export function scrubNamedValues(text: string): string {
  let out = ''
  let copied = 0
  hint.lastIndex = 0
  for (let found = hint.exec(text); found; found = hint.exec(text)) {
    const start = findNameStart(text, found.index, copied)
    const end = findNameEnd(text, hint.lastIndex)
    hint.lastIndex = end
    separator.lastIndex = end
    if (!separator.test(text) || !isSecretName(text.slice(start, end))) continue
    const name = text.slice(start, end)
    const value = findValue(text, separator.lastIndex, cookieName.test(name) ? cookieValues : bareValue)
    if (!value) continue
    const shown = text.slice(value.start, value.end)
    hint.lastIndex = value.end
    if (value.start === value.end || harmless.test(shown)) continue
    const isSpaced = !value.isQuoted && /:[ \t]+$/.test(text.slice(end, separator.lastIndex))
    if (isSpaced && nameInProse.test(name) && proseWord.test(shown)) continue
    out += `${text.slice(copied, value.start)}[redacted]`
    copied = value.end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  )
}

function findNameStart(text: string, from: number, floor: number): number {
  let start = from
  const lowest = Math.max(floor, from - 128)
  while (start > lowest && isNameCode(text.charCodeAt(start - 1))) start--
  return start
}

function findNameEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && isNameCode(text.charCodeAt(end))) end++
  return end
}

function findValue(
  text: string,
  at: number,
  bare: RegExp,
): { start: number; end: number; isQuoted: boolean } | undefined {
  quotedValue.lastIndex = at
  const quote = quotedValue.exec(text)
  if (quote) {
    const start = quotedValue.lastIndex
    return { start, end: findClosingQuote(text, start, quote[2] ?? '"', (quote[1] ?? '').length), isQuoted: true }
  }
  scheme.lastIndex = at
  const start = scheme.test(text) ? scheme.lastIndex : at
  bare.lastIndex = start
  return bare.test(text) ? { start, end: bare.lastIndex, isQuoted: false } : undefined
}

// The closing quote follows exactly as many backslashes as the opening one.
function findClosingQuote(text: string, from: number, quote: string, depth: number): number {
  let at = text.indexOf(quote, from)
  while (at !== -1) {
    let slashes = 0
    while (at - slashes > from && text.charCodeAt(at - slashes - 1) === 92) slashes++
    if (slashes === depth || (depth === 0 && slashes % 2 === 0)) return at - depth
    at = text.indexOf(quote, at + 1)
  }
  return text.length
}
