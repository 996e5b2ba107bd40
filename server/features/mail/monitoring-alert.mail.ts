import { type FigureName, formatFigure, monitoredFigures } from '#contract/monitored-figures.ts'
import type { RenderedMail } from './mail-layout.ts'
import { openTemplate } from './templates/open-template.ts'
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
  const parts = {
    ...{ appUrl, phrases: { others: told.length > 1 } },
    strong: told.map(({ figure }) => monitoredFigures[figure].label),
    action: { url: `${appUrl}/dashboard/superadmin/monitoring` },
  }
  const first = told[0] ? monitoredFigures[told[0].figure].label : 'Monitoring'
  const tell = (sentences: readonly string[]) => ({
    paragraphs: sentences,
    values: { figure: first, otherCount: String(told.length - 1), summary: sentences.join(' ') },
  })
  if (crossed.length === 0) {
    const { say, render } = openTemplate(thresholdRecovered, appUrl)
    return render({ ...parts, ...tell(recovered.map((each) => say(findEnd(each), toValues(each)))) })
  }
  const { say, render } = openTemplate(thresholdCrossed, appUrl)
  const beyond = crossed.map((each) => say(monitoredFigures[each.figure].alertsWhen, toValues(each)))
  return render({ ...parts, ...tell([...beyond, ...recovered.map((each) => say(findEnd(each), toValues(each)))]) })
}

function findEnd({ figure }: ToldFigure): 'notAbove' | 'notBelow' {
  return monitoredFigures[figure].alertsWhen === 'above' ? 'notAbove' : 'notBelow'
}

function toValues({ figure, value, limit, minutes }: ToldFigure): Record<string, string> {
  const { label, unit } = monitoredFigures[figure]
  return {
    ...{ figure: label, value: formatFigure(value, unit), limit: formatFigure(limit, unit) },
    duration: minutes === 1 ? 'a minute' : `${minutes} minutes`,
  }
}
