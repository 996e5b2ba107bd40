export const shortestPassword = 6

/** A rough estimate of how long a password resists guessing. */
export type PasswordStrength = 'empty' | 'short' | 'weak' | 'fair' | 'strong'

/** Parts that attackers try first: such a part counts for almost nothing. */
const commonPieces = /password|passw0rd|qwert[yz]|letmein|welcome|iloveyou|admin|dragon|monkey|abc|earshot/g

/**
 * Rates a password by length and variety: a hint while typing, not a condition. Length counts most, so that a sentence
 * beats a short puzzle. Repeated and ascending characters count once.
 */
export function judgePassword(password: string): PasswordStrength {
  const characters = [...password]
  if (characters.length === 0) return 'empty'
  if (characters.length < shortestPassword) return 'short'
  const rest = [...password.toLowerCase().replaceAll(commonPieces, '!')]
  const telling = rest.filter((character, index) => !isPredictable(rest[index - 1], character)).length
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password)).length
  const score = telling + 2 * (kinds - 1)
  if (score >= 18) return 'strong'
  return score >= 11 ? 'fair' : 'weak'
}

/** Whether it repeats or continues the previous character, as in "aaa" and "123". */
function isPredictable(before: string | undefined, character: string): boolean {
  if (before === undefined) return false
  const distance = (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)
  return Math.abs(distance) <= 1
}
