import type { RevenueFigure, RevenuePart, RevenueReport } from '#contract/revenue.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Reports } from '#server/platform/database/reports.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { addMonths, buildReport } from './build-report.ts'
import { listMoney, listMovements, listTrials, readMonth } from './revenue.queries.ts'
import { listParts, type PartPlace } from './revenue-parts.queries.ts'

export interface PartsQuery {
  readonly figure: RevenueFigure
  readonly month: string
  readonly cohort?: string
  readonly cursor?: string
  readonly limit?: number
}

/** Revenue of the instance. contract/revenue.ts defines every figure. */
export interface Revenue {
  /** @param months how many, the current one among them */
  report(months?: number): Promise<RevenueReport>
  /** @throws ProductError `validation_failed` for a month to come, a cohort of another figure than MRR or a foreign cursor. */
  listParts(
    query: PartsQuery,
  ): Promise<{ items: RevenuePart[]; total: number; count: number; nextCursor: string | null }>
}

const reason = 'superadmins read the revenue of the instance'
const defaultMonths = 13
const pageSize = 50

export function createRevenue(reports: Reports): Revenue {
  return {
    report: (count = defaultMonths) =>
      reports.asSystem(reason, async (tx) => {
        const current = await readMonth(tx)
        const months = Array.from({ length: count }, (_, index) => addMonths(current, index + 1 - count))
        const [from = current] = months
        return buildReport({
          months,
          movements: await listMovements(tx),
          money: await listMoney(tx, from),
          trials: await listTrials(tx, from),
        })
      }),

    listParts: ({ figure, month, cohort, cursor, limit = pageSize }) =>
      reports.asSystem(reason, async (tx) => {
        if (`${month}-01` > (await readMonth(tx))) throw invalid('query.month', 'must not be in the future')
        if (cohort !== undefined && figure !== 'mrr') throw invalid('query.cohort', 'is only for the figure mrr')
        const found = await listParts(tx, {
          figure,
          month: `${month}-01`,
          cohort: cohort === undefined ? undefined : `${cohort}-01`,
          after: cursor === undefined ? undefined : readCursor(cursor),
          limit: limit + 1,
        })
        const page = found.rows.slice(0, limit)
        const last = page.at(-1)
        return {
          items: page.map(({ amount, ...organization }) => ({ organization, amount })),
          total: found.total,
          count: found.count,
          nextCursor: found.rows.length > limit && last ? writeCursor(last) : null,
        }
      }),
  }
}

function writeCursor({ amount, id }: PartPlace): string {
  return Buffer.from(`${amount} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
function readCursor(cursor: string): PartPlace {
  const [amount = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!/^\d{1,15}$/.test(amount) || !isUuid(id))
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  return { amount: Number(amount), id }
}
