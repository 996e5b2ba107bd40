import { formatFigure, isFigureName, monitoredFigures } from '#contract/monitored-figures.ts'
import type { MonitorAlert } from '#contract/superadmin-monitoring.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'

/** Alerts that are open, and those that ended in the last 14 days. */
export function AlertsCard({ alerts }: { alerts: readonly MonitorAlert[] }) {
  const told = alerts.filter(({ alertedAt }) => alertedAt !== null)
  return (
    <Card aria-labelledby="alerts-title">
      <CardHeader>
        <CardTitle id="alerts-title">Alerts</CardTitle>
        <CardDescription>Superadmins get an email when an alert begins, and when it has recovered.</CardDescription>
      </CardHeader>
      <CardContent>
        {told.length === 0 ? (
          <p className="text-base text-muted">No alerts in the last 14 days.</p>
        ) : (
          <ul aria-label="Alerts" className="divide-y divide-border">
            {told.map((alert) => (
              <li key={alert.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-base">
                <span className="min-w-0 flex-1 basis-48">
                  <span className="font-medium">{nameFigure(alert.figure)}</span>
                  <span className="block text-muted text-sm">{describeWorst(alert)}</span>
                </span>
                <span className="text-muted text-sm tabular-nums">
                  {formatMoment(alert.crossedAt)}
                  {alert.endedAt !== null && ` – ${formatMoment(alert.endedAt)}`}
                </span>
                <Badge tone={alert.endedAt === null ? 'danger' : 'success'}>
                  {alert.endedAt === null ? 'Open' : 'Recovered'}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

/** Figures of an older version may be unknown. */
const nameFigure = (figure: string) => (isFigureName(figure) ? monitoredFigures[figure].label : figure)

function describeWorst({ figure, worstValue }: MonitorAlert): string {
  return isFigureName(figure) ? `Worst: ${formatFigure(worstValue, monitoredFigures[figure].unit)}` : ''
}
