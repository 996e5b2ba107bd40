import type { Chance } from './chance.ts'

const hourMs = 3_600_000
export const dayMs = 24 * hourMs

// Visitors shop in the evening and on Sundays.
const weekdayWeights = [1.35, 1, 0.95, 0.95, 0.9, 0.8, 1.1]
const hourWeights = [1, 0.5, 0.2, 0.2, 0.2, 0.4, 1, 2, 3.5, 5, 5.5, 5, 4.5, 4.5, 4.5, 4.5, 5, 5, 5, 6.5, 8, 8, 5, 2.5]

// They buy furniture in winter, and less in summer.
const monthWeights = [1.15, 0.9, 0.95, 1, 0.95, 0.8, 0.7, 0.75, 1, 1.15, 1.4, 1.3]

/** A random submission time within so many days before `now`, slightly more often recently. */
export function chooseVisitTime(chance: Chance, now: Date, days: number): Date {
  const today = new Date(now).setUTCHours(0, 0, 0, 0)
  const candidates = Array.from({ length: days }, (_, daysAgo) => {
    const day = today - daysAgo * dayMs
    const weekday = weekdayWeights[new Date(day).getUTCDay()] ?? 1
    const month = monthWeights[new Date(day).getUTCMonth()] ?? 1
    // The last weeks are viewed most, so they have the most items.
    const late = daysAgo < 90 ? 1.6 : 1
    return [day, weekday * month * late * (1 - 0.55 * (daysAgo / days))] as const
  })
  const hours = hourWeights.map((weight, hour) => [hour, weight] as const)
  for (let tries = 0; tries < 100; tries += 1) {
    const time = chance.weigh(candidates) + chance.weigh(hours) * hourMs + chance.between(0, hourMs - 1)
    if (time < now.getTime() - 2 * hourMs) return new Date(time)
  }
  return new Date(now.getTime() - dayMs)
}

/** The time of a team's action: after that delay, within the next office hours. */
export function chooseWorkTime(chance: Chance, after: Date, delayHours: number): Date {
  let time = after.getTime() + delayHours * hourMs
  for (;;) {
    const date = new Date(time)
    const weekday = date.getUTCDay()
    const hour = date.getUTCHours()
    if (weekday >= 1 && weekday <= 5 && hour >= 8 && hour < 17) return date
    const midnight = date.setUTCHours(0, 0, 0, 0)
    const isTooEarly = weekday >= 1 && weekday <= 5 && hour < 8
    time = midnight + (isTooEarly ? 0 : dayMs) + 8 * hourMs + chance.between(0, 100 * 60_000)
  }
}
