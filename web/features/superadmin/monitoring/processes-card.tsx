import { formatFigure } from '#contract/monitored-figures.ts'
import type { MonitoredProcess } from '#contract/superadmin-monitoring.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'

/** Processes of the last day. */
export function ProcessesCard({ processes }: { processes: readonly MonitoredProcess[] }) {
  return (
    <Card aria-labelledby="processes-title">
      <CardHeader>
        <CardTitle id="processes-title">Processes</CardTitle>
        <CardDescription>Each measures itself once a minute. Ended ones are listed for a day.</CardDescription>
      </CardHeader>
      <CardContent>
        {processes.length === 0 ? (
          <p className="text-base text-muted">
            No process has reported yet. The first does within a minute of its start.
          </p>
        ) : (
          <ul aria-label="Processes" className="divide-y divide-border">
            {processes.map((process) => (
              <li key={process.id}>
                <ProcessRow process={process} />
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

function ProcessRow({ process }: { process: MonitoredProcess }) {
  const { services, host, pid, appVersion, nodeVersion, startedAt, lastSeenAt, isRunning, latest } = process
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-base">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">
            {host} ({pid})
          </span>
          <Badge tone={isRunning ? 'success' : 'neutral'}>{isRunning ? 'Running' : 'Ended'}</Badge>
        </p>
        <p className="text-muted text-sm">
          {services.replace(',', ' and ')}, Earshot {appVersion}, Node.js {nodeVersion}.{' '}
          {isRunning ? (
            <>
              Started <RelativeTime iso={startedAt} />.
            </>
          ) : (
            <>
              Last seen <RelativeTime iso={lastSeenAt} />.
            </>
          )}
        </p>
      </div>
      {latest && (
        <p className="text-muted text-sm tabular-nums sm:text-right">
          CPU {formatFigure(latest.cpuPercent, 'percent')}, memory {formatFigure(latest.memoryBytes, 'bytes')}
          <br />
          Delay {formatFigure(latest.delayMs, 'ms')}, disk {formatFigure(latest.diskFreePercent, 'percent')} free
        </p>
      )}
    </div>
  )
}
