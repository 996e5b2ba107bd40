/* Billing periods, in seconds since 1970 and UTC. */

export const daySeconds = 86_400

/** A time some intervals later: on the same day of the month, or on its last one. */
export function addInterval(time: number, interval: string, count: number): number {
  if (interval === 'day' || interval === 'week') return time + count * daySeconds * (interval === 'week' ? 7 : 1)
  const months = interval === 'year' ? count * 12 : count
  const from = new Date(time * 1000)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(from.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return first.getTime() / 1000
}

/** The end of the period that starts then, counted from the anchor: a period from 31 January ends on 28 February, the next one on 31 March. */
export function findPeriodEnd(anchor: number, start: number, interval: string, count: number): number {
  for (let periods = 1; ; periods += 1) {
    const end = addInterval(anchor, interval, periods * count)
    if (end > start) return end
  }
}
