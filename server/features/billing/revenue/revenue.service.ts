import { type RevenueParts, type RevenueReport, revenueFigures } from '#contract/revenue.ts'
import {
  downloadFigureParts,
  type FigurePartsPage,
  type FigurePartsQuery,
  listFigureParts,
} from '#server/features/superadmin-figures/figure-parts.service.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Reports } from '#server/platform/database/reports.ts'
import type { CsvDownload } from '#server/platform/events/csv-download.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { addMonths, buildReport } from './build-report.ts'
import { listMoney, listMovements, listTrials, readMonth } from './revenue.queries.ts'
import { selectParts } from './revenue-parts.queries.ts'

/** Revenue of the instance. contract/revenue.ts defines every figure. */
export interface Revenue {
  /** @param months how many, the current one among them */
  report(months?: number): Promise<RevenueReport>
  /** @throws ProductError `validation_failed` for a month to come, a cohort of another figure than MRR or a foreign cursor. */
  listParts(query: RevenueParts & FigurePartsQuery): Promise<FigurePartsPage>
  exportParts(wanted: RevenueParts): Promise<CsvDownload>
}

const reason = 'superadmins read the revenue of the instance'
const defaultMonths = 13

export function createRevenue(database: Database, reports: Reports): Revenue {
  const listParts = (
    { figure, month, cohort, ...page }: RevenueParts & FigurePartsQuery,
    sentIn: 'query' | 'body' = 'query',
  ): Promise<FigurePartsPage> =>
    reports.asSystem(reason, async (tx) => {
      if (`${month}-01` > (await readMonth(tx))) throw invalid(`${sentIn}.month`, 'must not be in the future')
      if (cohort !== undefined && figure !== 'mrr') throw invalid(`${sentIn}.cohort`, 'is only for the figure mrr')
      const parts = selectParts(figure, `${month}-01`, cohort === undefined ? undefined : `${cohort}-01`)
      return listFigureParts(tx, parts, page)
    })

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

    listParts: (query) => listParts(query),

    exportParts: (wanted) =>
      downloadFigureParts(database, {
        name: `Revenue: ${revenueFigures[wanted.figure].label}`,
        file: `revenue-${wanted.figure.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}-${wanted.month}`,
        filters: wanted,
        amount: revenueFigures[wanted.figure].unit === 'cents' ? 'cents' : 'organizations',
        list: (page) => listParts({ ...wanted, ...page }, 'body'),
      }),
  }
}
