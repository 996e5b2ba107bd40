import { type FigureName, formatFigure, monitoredFigures } from '#contract/monitored-figures.ts'
import type { RenderedMail } from './mail-layout.ts'
import { type OpenTemplate, openTemplate } from './templates/open-template.ts'
import { thresholdCrossed, thresholdRecovered } from './templates/operation.templates.ts'

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
  const opened = openTemplate(crossed.length > 0 ? thresholdCrossed : thresholdRecovered, appUrl)
  const sentences = told.map((each) => writeSentence(opened.say, each, crossed.includes(each)))
  return opened.render({
    ...{ appUrl, paragraphs: sentences, phrases: { others: told.length > 1 } },
    values: {
      figure: told[0] ? monitoredFigures[told[0].figure].label : 'Monitoring',
      otherCount: String(told.length - 1),
      summary: sentences.join(' '),
    },
    strong: told.map(({ figure }) => monitoredFigures[figure].label),
    action: { url: `${appUrl}/dashboard/superadmin/monitoring` },
  })
}

type Say = OpenTemplate<never, never, (typeof thresholdCrossed)['names']['lines'][number]>['say']

function writeSentence(say: Say, { figure, value, limit, minutes }: ToldFigure, isCrossed: boolean): string {
  const { label, unit, alertsWhen } = monitoredFigures[figure]
  const line = isCrossed ? alertsWhen : alertsWhen === 'above' ? 'notAbove' : 'notBelow'
  return say(line, {
    ...{ figure: label, value: formatFigure(value, unit), limit: formatFigure(limit, unit) },
    duration: minutes === 1 ? 'a minute' : `${minutes} minutes`,
  })
}
