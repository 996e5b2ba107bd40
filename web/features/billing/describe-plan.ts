import type { PlanOffer } from '#contract/plans.ts'
import { locale } from '#web/lib/locale.ts'

export type BillingPeriod = 'month' | 'year'

const number = new Intl.NumberFormat(locale)

/** `$19`, or `$19.50` where cents matter. */
export function formatPrice(cents: number): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}

/** A plan's limits, as a list to read. */
export function describeLimits({ maxProjects, maxMembers, maxItemsPerMonth }: PlanOffer): string[] {
  return [
    maxProjects === null ? 'Unlimited projects' : countOf(maxProjects, 'project'),
    maxMembers === null ? 'Unlimited members' : `${countOf(maxMembers, 'member')}, and unlimited viewers`,
    maxItemsPerMonth === null ? 'Unlimited feedback' : `${countOf(maxItemsPerMonth, 'feedback item')} a month`,
  ]
}

/** A limit alone, for a table. */
export function describeLimit(limit: number | null): string {
  return limit === null ? 'Unlimited' : number.format(limit)
}

/** Months that a year saves: `Pay for ten months, get twelve.`; undefined where plans differ or save none. */
export function describeSaving(plans: readonly PlanOffer[]): string | undefined {
  const paid = plans.map(({ monthlyCents, yearlyCents }) => yearlyCents / monthlyCents)
  const [months] = paid
  const isSaving = months !== undefined && Number.isInteger(months) && months < 12
  return isSaving && paid.every((each) => each === months) ? `Pay for ${months} months, get 12.` : undefined
}

function countOf(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`
}
