/**
 * A colour as people write it: `0F766E`, `#0f766e` or short `#0f7`.
 *
 * @returns `#` and six hexadecimal digits; undefined when it is no such colour
 */
export function readColor(typed: string): string | undefined {
  const digits = typed.trim().toLowerCase().replace(/^#/, '')
  if (/^[0-9a-f]{6}$/.test(digits)) return `#${digits}`
  if (!/^[0-9a-f]{3}$/.test(digits)) return undefined
  return `#${[...digits].map((digit) => digit + digit).join('')}`
}
