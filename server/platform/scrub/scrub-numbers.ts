const phone =
  /(?<![\w.+-]|\d[ )-])(?:\+?1[ .-]?)?(?:\(\d{3}\)[ .-]?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w]|[.-]\d)|\+1[ .-]?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}(?!\w)|%2B1\d{10}(?!\w)/g
// Ten consecutive digits are a phone number where the numbering plan allows them (area and exchange start with 2 to 9),
// unless they are a bare JSON number or an amount of something.
const barePhone =
  /(?<![\w.+-]|":|[[,]|\$)1?[2-9]\d{2}[2-9]\d{6}(?!\w|[.-]\d|[ ]?(?:bytes?|[kmg]i?b|ms|ns|us|µs|rows?|items?)\b)/gi
const socialSecurity = /(?<![A-Za-z0-9]|\d[.-])\d{3}([ -])\d{2}\1\d{4}(?![A-Za-z0-9]|[.-]\d)/g

/** Redacts US-style phone numbers, in the six usual notations. */
export function scrubPhones(text: string): string {
  return text.replace(phone, '[phone]').replace(barePhone, '[phone]')
}

/** Redacts numbers written like a US social security number: 123-45-6789. */
export function scrubSocialSecurityNumbers(text: string): string {
  return text.replace(socialSecurity, '[ssn]')
}

// Card numbers have groups of three or more digits; only the last may be shorter.
// The upper bound keeps megabytes of digits off the engine's stack.
const digitRun = /\d{3}(?:[ +-]?\d){10,4000}/g

/** Redacts card numbers: 13 to 19 digits, together or in groups, that satisfy Luhn and start as cards do. */
export function scrubCards(text: string): string {
  return text.replace(digitRun, (run: string, at: number) => {
    const before = text.charCodeAt(at - 1)
    const after = text.charCodeAt(at + run.length)
    return redactCards(run, isAlphanumeric(before), isAlphanumeric(after))
  })
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

// A run can contain more than the card (`order 12 4111 1111 1111 1111`), so every row of whole groups is tried.
function redactCards(run: string, isGluedBefore: boolean, isGluedAfter: boolean): string {
  const parts = run.split(/([ +-])/)
  const groups = parts.filter((_, index) => index % 2 === 0)
  let out = ''
  for (let first = 0; first < groups.length; first++) {
    const last = first === 0 && isGluedBefore ? -1 : findCardEnd(groups, first, isGluedAfter)
    out += last === -1 ? groups[first] : '[card]'
    const next = last === -1 ? first : last
    out += parts[next * 2 + 1] ?? ''
    first = next
  }
  return out
}

function findCardEnd(groups: readonly string[], first: number, isGluedAfter: boolean): number {
  let digits = ''
  let end = -1
  for (let last = first; last < groups.length; last++) {
    const group = groups[last] ?? ''
    if (digits.length + group.length > 19) break
    digits += group
    if (last === groups.length - 1 && isGluedAfter) break
    if (digits.length >= 13 && isCardNumber(digits)) end = last
    if (group.length < 3) break
  }
  return end
}

const cardStart = /^(?:[3-6]|22(?:0[0-4]|2[1-9]|[3-9]\d)|2[3-6]\d\d|27[01]\d|2720|8[12]|9792)/

function isCardNumber(digits: string): boolean {
  if (!cardStart.test(digits) || /^(\d)\1*$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
