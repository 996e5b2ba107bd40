import { locale } from '#web/lib/locale.ts'

/** `{ count: '1,204' }`, and nothing of what isn't known or isn't there. */
export function formatCount(count: number | undefined): { count?: string } {
  return count === undefined || count === 0 ? {} : { count: count.toLocaleString(locale) }
}

/** `1 item`, `1,204 items`; from the limit on, where counting ended, `1,000 or more items`. */
export function formatQuantity(count: number, noun: string, limit = Number.POSITIVE_INFINITY): string {
  const shown = count.toLocaleString(locale)
  return `${shown}${count >= limit ? ' or more' : ''} ${count === 1 ? noun : `${noun}s`}`
}

/** `1 item`, `1,204 items`. */
export function formatItems(count: number, limit?: number): string {
  return formatQuantity(count, 'item', limit)
}
