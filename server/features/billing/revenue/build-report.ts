import type { RevenueCohort, RevenueMonth, RevenueReport } from '#contract/revenue.ts'
import type { MoneyOfMonth, Movement, MovementKind, TrialsOfMonth } from './revenue.queries.ts'

/** What a report is calculated from. */
export interface ReportParts {
  /** First days of months, the oldest first, the current month last. */
  readonly months: readonly string[]
  /** Of all time. */
  readonly movements: readonly Movement[]
  /** Of these months. */
  readonly money: readonly MoneyOfMonth[]
  readonly trials: readonly TrialsOfMonth[]
}

/** Complete months whose mean the forecast and the lifetime value are made of. */
const meanOver = 3
const forecastMonths = 6

export function buildReport({ months, movements, money, trials }: ReportParts): RevenueReport {
  const built: RevenueMonth[] = []
  const [first = ''] = months
  const before = movements.filter(({ month }) => month < first)
  let last = { mrrCents: sumCents(before), customers: countCustomers(before) }
  for (const month of months) {
    const next = buildMonth(last, {
      month,
      movements: movements.filter((each) => each.month === month),
      money: money.filter((each) => each.month === month),
      trials: trials.find((each) => each.month === month),
    })
    built.push(next)
    last = next
  }
  return {
    months: built,
    ltvCents: findLifetimeValue(built),
    forecast: forecast(built, months.at(-1) ?? ''),
    cohorts: months.map((cohort) => buildCohort(cohort, months, movements)),
    foreignPayments: money.reduce((sum, { kind, count }) => sum + (kind === null ? count : 0), 0),
  }
}

interface MonthParts {
  readonly month: string
  readonly movements: readonly Movement[]
  readonly money: readonly MoneyOfMonth[]
  readonly trials: TrialsOfMonth | undefined
}

function buildMonth(
  before: Pick<RevenueMonth, 'mrrCents' | 'customers'>,
  { month, movements, money, trials }: MonthParts,
): RevenueMonth {
  const of = (kind: MovementKind) => movements.filter((each) => each.kind === kind)
  const moneyOf = (kind: MoneyOfMonth['kind']) => money.find((each) => each.kind === kind)?.cents ?? 0
  const mrrCents = before.mrrCents + sumCents(movements)
  const customers = before.customers + countCustomers(movements)
  const churnedCustomers = countOrganizations(of('churn'))
  const [collectedCents, refundedCents] = [moneyOf('collected'), moneyOf('refunded')]
  return {
    month: month.slice(0, 7),
    mrrCents,
    newCents: sumCents(of('new')),
    expansionCents: sumCents(of('expansion')),
    contractionCents: -sumCents(of('contraction')) || 0,
    churnCents: -sumCents(of('churn')) || 0,
    reactivationCents: sumCents(of('reactivation')),
    customers,
    newCustomers: countOrganizations(of('new')),
    reactivatedCustomers: countOrganizations(of('reactivation')),
    churnedCustomers,
    arpaCents: customers === 0 ? null : Math.round(mrrCents / customers),
    logoChurn: before.customers === 0 ? null : churnedCustomers / before.customers,
    collectedCents,
    refundedCents,
    netCents: collectedCents - refundedCents,
    trialsStarted: trials?.started ?? 0,
    trialsConverted: trials?.converted ?? 0,
  }
}

function findLifetimeValue(months: readonly RevenueMonth[]): number | null {
  const churns = months.slice(-meanOver - 1, -1).flatMap(({ logoChurn }) => (logoChurn === null ? [] : [logoChurn]))
  const mean = churns.reduce((sum, each) => sum + each, 0) / churns.length
  const arpa = months.at(-1)?.arpaCents ?? null
  // No month: the mean is not a number.
  return arpa === null || !(mean > 0) ? null : Math.round(arpa / mean)
}

function forecast(months: readonly RevenueMonth[], current: string): RevenueReport['forecast'] {
  const complete = months.slice(0, -1)
  const changes = complete.slice(-meanOver).map((each) => {
    const { newCents, expansionCents, contractionCents, churnCents, reactivationCents } = each
    return newCents + expansionCents + reactivationCents - contractionCents - churnCents
  })
  if (changes.length === 0) return []
  const mean = changes.reduce((sum, each) => sum + each, 0) / changes.length
  const now = months.at(-1)?.mrrCents ?? 0
  return Array.from({ length: forecastMonths }, (_, index) => ({
    month: addMonths(current, index + 1).slice(0, 7),
    mrrCents: Math.max(0, Math.round(now + mean * (index + 1))),
  }))
}

function buildCohort(cohort: string, months: readonly string[], movements: readonly Movement[]): RevenueCohort {
  const own = movements.filter((each) => each.cohort === cohort)
  return {
    month: cohort.slice(0, 7),
    months: months
      .filter((month) => month >= cohort)
      .map((month) => {
        const until = own.filter((each) => each.month <= month)
        return { month: month.slice(0, 7), mrrCents: sumCents(until), customers: countCustomers(until) }
      }),
  }
}

function sumCents(movements: readonly Movement[]): number {
  return movements.reduce((sum, { cents }) => sum + cents, 0)
}

function countOrganizations(movements: readonly Movement[]): number {
  return movements.reduce((sum, { organizations }) => sum + organizations, 0)
}

const steps: Readonly<Record<MovementKind, number>> = {
  new: 1,
  reactivation: 1,
  churn: -1,
  expansion: 0,
  contraction: 0,
}

/** Customers that came, less those that left. */
function countCustomers(movements: readonly Movement[]): number {
  return movements.reduce((sum, { kind, organizations }) => sum + steps[kind] * organizations, 0)
}

/** @param month its first day */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 10)
}
