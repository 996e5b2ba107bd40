import { derivedRevenueFigures, revenueFigures } from '#contract/revenue.ts'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'

/** What each figure means. */
export function DefinitionsCard() {
  return (
    <Card aria-labelledby="definitions-title">
      <CardHeader>
        <CardTitle id="definitions-title">Definitions</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-x-6 gap-y-4 text-base sm:grid-cols-2">
          {Object.values({ ...revenueFigures, ...derivedRevenueFigures }).map(({ label, definition }) => (
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
