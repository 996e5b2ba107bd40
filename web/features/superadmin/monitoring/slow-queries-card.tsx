import { formatFigure } from '#contract/monitored-figures.ts'
import { exportSlowQueries, type MonitoringNow } from '#contract/superadmin-monitoring.ts'
import { send } from '#web/lib/api.ts'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { CsvExport } from '../csv-export.tsx'
import { formatCount } from '../format-figures.ts'

/** The slowest queries of the database. */
export function SlowQueriesCard({ slowQueries: { source, items } }: Pick<MonitoringNow, 'slowQueries'>) {
  return (
    <Card aria-labelledby="slow-title">
      <CardHeader>
        <CardTitle id="slow-title">Slow queries</CardTitle>
        <CardDescription>
          {source === 'statements'
            ? 'Statements that take 100 ms or longer on average.'
            : 'Queries that run for longer than a second now. Install pg_stat_statements to see past ones.'}
        </CardDescription>
      </CardHeader>
      <CardContent>
        {items.length === 0 ? (
          <p className="text-base text-muted">No slow queries.</p>
        ) : (
          <ul aria-label="Slow queries" className="divide-y divide-border">
            {items.map(({ query, calls, ms }) => (
              <li key={`${ms} ${query}`} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2 text-sm">
                <code className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">{query}</code>
                <span className="text-muted tabular-nums">
                  {formatFigure(ms, 'ms')}
                  {calls !== null && `, ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`}
                </span>
              </li>
            ))}
          </ul>
        )}
        {items.length > 0 && (
          <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="text-muted text-sm">The 10 slowest. A download has up to 500.</p>
            <CsvExport request={() => send(exportSlowQueries, {}, '*/*')} failure="Couldn’t export the queries" />
          </div>
        )}
      </CardContent>
    </Card>
  )
}
