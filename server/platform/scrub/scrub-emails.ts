const localCharacters = createTable("._%+'~!#$*^`{|}-")
const domainCharacters = createTable('.-')
const letterOfAnyScript = /[\p{L}\p{M}\p{N}’]/u
const domain =
  /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*\.(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})$/iu
// `react@19.3.1`, `lodash@4.17.21-rc`, `logo@2x.png`
const versionOrFile = /^(?:\d+\.\d+\.\d+(?:-[\w.-]*)?|\d(?:\.\d)?x\.[a-z]{3,4})$/
const longestLocal = 128
const longestDomain = 255

/**
 * Redacts email addresses: plus tags, letters of any script, quoted names, `%40` in URLs, `[1.2.3.4]`
 * as the host. Works outwards from each `@` by a bounded number of characters, so it stays linear.
 */
export function scrubEmails(text: string): string {
  if (!text.includes('@') && !text.includes('%40')) return text
  let out = ''
  let copied = 0
  for (const at of text.matchAll(/@|%40/g)) {
    if (at.index < copied) continue
    const start = findLocalStart(text, at.index, copied)
    const end = start === at.index ? -1 : findDomainEnd(text, at.index + at[0].length)
    if (end === -1) continue
    out += `${text.slice(copied, start)}[email]`
    copied = end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

function findLocalStart(text: string, at: number, floor: number): number {
  const lowest = Math.max(floor, at - longestLocal)
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2)
    if (open >= lowest && open < at - 2 && !text.slice(open, at).includes('\n')) {
      return text[open - 1] === '\\' && open > lowest ? open - 1 : open
    }
    return at
  }
  let start = at
  while (start > lowest && isIn(localCharacters, text, start - 1)) start--
  // Quotes and dots that lead are punctuation of the sentence around the address.
  while (start < at && /['.`{}|]/.test(text[start] ?? '')) start++
  return start
}

function findDomainEnd(text: string, from: number): number {
  if (text[from] === '[') {
    const literal = /^\[(?:ipv6:)?[0-9a-f:.]{3,45}\]/i.exec(text.slice(from, from + 60))
    return literal ? from + literal[0].length : -1
  }
  const highest = Math.min(text.length, from + longestDomain)
  let end = from
  while (end < highest && isIn(domainCharacters, text, end)) end++
  // Take the longest part that is a domain: `bob@example.com.` and `bob@example.com-` end in punctuation.
  for (let tries = 0; tries < 6 && end > from; tries++) {
    while (end > from && /[.-]/.test(text[end - 1] ?? '')) end--
    const host = text.slice(from, end)
    if (versionOrFile.test(host)) return -1
    if (domain.test(host)) return end
    end = from + Math.max(host.lastIndexOf('.'), 0)
  }
  return -1
}

// The lookup by character code keeps a line of only `@` cheap.
function createTable(punctuation: string): Uint8Array {
  const table = new Uint8Array(128)
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code)
    if (/[A-Za-z0-9]/.test(character) || punctuation.includes(character)) table[code] = 1
  }
  return table
}

function isIn(table: Uint8Array, text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 128) return table[code] === 1
  // Halves of a pair are letters of rarer scripts; taking them whole keeps the text well-formed.
  return (code >= 0xd800 && code <= 0xdfff) || letterOfAnyScript.test(text[index] ?? '')
}
