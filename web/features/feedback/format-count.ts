/** `{ count: '12' }`, `{ count: '999+' }` where counting has ended, and nothing of what isn't known or isn't there. */
export function formatCount(count: number | undefined, limit = Number.POSITIVE_INFINITY): { count?: string } {
  if (count === undefined || count === 0) return {}
  return { count: count >= limit ? `${limit - 1}+` : String(count) }
}
