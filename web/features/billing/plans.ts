import { locale } from '#web/lib/locale.ts'

export interface Plan {
  readonly name: string
  readonly forWhom: string
  readonly usdPerMonth: number
  /** Null: unlimited. */
  readonly projects: number | null
  readonly members: number | null
  readonly itemsPerMonth: number
}

/** The plans, from small to large. */
export const plans: readonly Plan[] = [
  {
    name: 'Starter',
    forWhom: 'For a small team and its first websites.',
    usdPerMonth: 19,
    projects: 3,
    members: 5,
    itemsPerMonth: 500,
  },
  {
    name: 'Growth',
    forWhom: 'For growing teams with more feedback.',
    usdPerMonth: 49,
    projects: 10,
    members: 15,
    itemsPerMonth: 5000,
  },
  {
    name: 'Business',
    forWhom: 'For organisations with many websites.',
    usdPerMonth: 129,
    projects: null,
    members: null,
    itemsPerMonth: 50_000,
  },
]

export type BillingPeriod = 'month' | 'year'

/** A year costs as much as ten months. In usd. */
export function computePrice({ usdPerMonth }: Plan, period: BillingPeriod): number {
  return period === 'year' ? usdPerMonth * 10 : usdPerMonth
}

const number = new Intl.NumberFormat(locale)

/** A plan's limits, as a list to read. */
export function describeLimits({ projects, members, itemsPerMonth }: Plan): string[] {
  return [
    projects === null ? 'Unlimited projects' : `${projects} projects`,
    members === null ? 'Unlimited members' : `${members} members, and unlimited viewers`,
    `${number.format(itemsPerMonth)} feedback items a month`,
  ]
}
