import { activationSteps, activeFigure, retentionDefinition, usageFigures } from '#contract/superadmin-metrics.ts'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'

const definitions = [
  activeFigure,
  ...Object.values(usageFigures),
  ...Object.values(activationSteps).map(({ label, definition }) => ({ label: `Funnel: ${label}`, definition })),
  { label: 'Retention', definition: retentionDefinition },
]

/** What each figure means. */
export function MetricsDefinitions() {
  return (
    <Card aria-labelledby="definitions-title">
      <CardHeader>
        <CardTitle id="definitions-title">Definitions</CardTitle>
        <CardDescription>
          Days are in UTC. A job adds up new activity every minute. Deleted organisations leave all figures within a
          day.
        </CardDescription>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-x-6 gap-y-4 text-base sm:grid-cols-2">
          {definitions.map(({ label, definition }) => (
            <div key={label}>
              <dt className="font-medium">{label}</dt>
              <dd className="text-muted">{definition}</dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  )
}
