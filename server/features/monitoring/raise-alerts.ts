import { type FigureName, figureNames, monitoredFigures } from '#contract/monitored-figures.ts'
import type { ThresholdChange } from '#contract/superadmin-monitoring.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { queueEmail, renderMonitoringAlert } from '../mail/mail.service.ts'
import * as queries from './alerts.queries.ts'
import { readFigures } from './figures.queries.ts'
import { judgeFigure } from './judge-figure.ts'

/** The thresholds that count: the defaults, unless a superadmin changed them. */
export async function readThresholds(tx: SystemTx): Promise<Map<FigureName, ThresholdChange & { isDefault: boolean }>> {
  const changed = new Map((await queries.listChangedThresholds(tx)).map(({ figure, ...rest }) => [figure, rest]))
  return new Map(
    figureNames.map((name) => {
      const { limit, minutes, isEnabled } = monitoredFigures[name]
      const own = changed.get(name)
      return [name, own ? { ...own, isDefault: false } : { limit, minutes, isEnabled, isDefault: true }]
    }),
  )
}

/**
 * Compares the latest figures with their thresholds and emails superadmins what crossed one and what recovered. State and
 * emails are of one transaction, so that each is told once, whatever process measures next.
 */
export async function raiseAlerts(tx: SystemTx, minute: Date, appUrl: string): Promise<void> {
  const figures = await readFigures(tx)
  const thresholds = await readThresholds(tx)
  const open = new Map((await queries.listOpenAlerts(tx)).map(({ figure, ...alert }) => [figure, alert]))
  const news: Record<'crossed' | 'recovered', Told[]> = { crossed: [], recovered: [] }
  for (const [name, threshold] of thresholds) {
    const value = figures[name]
    if (value === null) continue
    const { alertsWhen } = monitoredFigures[name]
    const judgement = judgeFigure(open.get(name), { value, alertsWhen, threshold, minute })
    if (judgement.outcome === 'open') await queries.saveAlert(tx, name, judgement.alert)
    if (judgement.outcome === 'forgotten') await queries.forgetAlert(tx, name)
    if (judgement.outcome === 'ended') await queries.endAlert(tx, name, minute)
    const email = 'email' in judgement ? judgement.email : null
    if (email !== null) news[email].push({ figure: name, value, limit: threshold.limit, minutes: threshold.minutes })
  }
  if (news.crossed.length + news.recovered.length === 0) return
  const mail = renderMonitoringAlert({ ...news, appUrl })
  for (const to of await queries.listSuperadminEmails(tx)) await queueEmail(tx, to, mail)
}

interface Told {
  readonly figure: FigureName
  readonly value: number
  readonly limit: number
  readonly minutes: number
}
