import { type FigureName, formatFigure, monitoredFigures } from '#contract/monitored-figures.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'

interface ToldFigure {
  readonly figure: FigureName
  readonly value: number
  /** Its threshold. */
  readonly limit: number
  /** For how long it was beyond, or is within, the threshold. */
  readonly minutes: number
}

interface MonitoringAlert {
  readonly crossed: readonly ToldFigure[]
  readonly recovered: readonly ToldFigure[]
  readonly appUrl: string
}

/** Tells superadmins which figures crossed their threshold, and which recovered. At least one of either. */
export function renderMonitoringAlert({ crossed, recovered, appUrl }: MonitoringAlert): RenderedMail {
  const told = [...crossed, ...recovered]
  const isAlert = crossed.length > 0
  const first = told[0] ? monitoredFigures[told[0].figure].label : 'Monitoring'
  const others = told.length > 1 ? ` and ${told.length - 1} more` : ''
  const { host } = new URL(appUrl)
  return renderMail({
    kind: 'monitoring_alert',
    subject: isAlert ? `Alert: ${first}${others} (${host})` : `Recovered: ${first}${others} (${host})`,
    preview: told.map((each) => writeSentence(each, crossed.includes(each))).join(' '),
    title: isAlert ? 'A threshold was crossed' : 'Back within the threshold',
    paragraphs: told.map((each) => writeSentence(each, crossed.includes(each))),
    strong: told.map(({ figure }) => monitoredFigures[figure].label),
    action: { label: 'View monitoring', url: `${appUrl}/dashboard/superadmin/monitoring` },
    notes: [
      'You get this email because you are a superadmin of this instance. Each alert is sent once, and once more when it has recovered. You can change the thresholds in monitoring.',
    ],
    appUrl,
  })
}

function writeSentence({ figure, value, limit, minutes }: ToldFigure, isCrossed: boolean): string {
  const { label, unit, alertsWhen } = monitoredFigures[figure]
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const side = isCrossed ? alertsWhen : alertsWhen === 'above' ? 'not above' : 'not below'
  return `${label}: ${formatFigure(value, unit)}, ${side} ${formatFigure(limit, unit)} for ${time}.`
}
