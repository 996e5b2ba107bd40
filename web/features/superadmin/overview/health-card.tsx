import type { ReactNode } from 'react'
import type { Overview } from '#contract/superadmin-overview.ts'
import { lowDiskShare } from '#contract/superadmin-overview.ts'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { formatCount } from '../format-figures.ts'

type Result = Overview['health']['checks'][number]['result']

const results: Readonly<Record<Result, { tone: BadgeTone; label: string }>> = {
  ok: { tone: 'success', label: 'Working' },
  no_worker: { tone: 'warning', label: 'No worker' },
  read_only: { tone: 'warning', label: 'Read-only' },
  failed: { tone: 'danger', label: 'Failed' },
  timeout: { tone: 'danger', label: 'No answer' },
}
/** Parts that every instance has; features add others under their own name. */
const partNames: Readonly<Record<string, string>> = {
  writes: 'Writes',
  database: 'Database',
  jobs: 'Jobs',
  disk: 'Data folder',
}
/** Emails and jobs that wait longer than this are late. */
const lateMs = 10 * 60_000

/** Whether the instance works, part by part. */
export function HealthCard({ health }: { health: Overview['health'] }) {
  const { checks, workers, mail, queue, disk } = health
  const isLow = disk.freeBytes < disk.totalBytes * lowDiskShare
  return (
    <Card aria-labelledby="health-title">
      <CardHeader>
        <CardTitle id="health-title">Health</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="divide-y divide-border text-base">
          {checks.map(({ name, result }) => (
            <Fact key={name} name={partNames[name] ?? name}>
              <Badge tone={results[result].tone}>{results[result].label}</Badge>
            </Fact>
          ))}
          <Part name="Workers" tone={workers.running > 0 ? 'success' : 'warning'}>
            {workers.running > 0
              ? workers.running === 1
                ? '1 running'
                : `${workers.running} running`
              : workers.lastSeenAt === null
                ? 'Never seen'
                : 'Not running'}
            {workers.lastSeenAt !== null && (
              <span className="text-muted">
                , last seen <RelativeTime iso={workers.lastSeenAt} />
              </span>
            )}
          </Part>
          <Part name="Mail" tone={isLate(mail.oldestWaitingAt) || mail.failed > 0 ? 'warning' : 'success'}>
            <Waiting count={mail.waiting} since={mail.oldestWaitingAt} />
            {mail.failed > 0 && `, ${formatCount(mail.failed)} failed`}
          </Part>
          <Part name="Queue" tone={isLate(queue.oldestDueAt) || queue.failed > 0 ? 'warning' : 'success'}>
            <Waiting count={queue.waiting} since={queue.oldestDueAt} />
            {queue.failed > 0 && `, ${formatCount(queue.failed)} failed`}
          </Part>
          <Part name="Disk" tone={isLow ? 'danger' : 'success'}>
            {formatBytes(disk.freeBytes)} free of {formatBytes(disk.totalBytes)}
          </Part>
        </dl>
      </CardContent>
    </Card>
  )
}

function isLate(iso: string | null): boolean {
  return iso !== null && Date.now() - Date.parse(iso) > lateMs
}

const toneWords: Readonly<Record<string, string>> = { success: 'Good', warning: 'Check', danger: 'Low' }

function Part({ name, tone, children }: { name: string; tone: BadgeTone; children: ReactNode }) {
  return (
    <Fact name={name}>
      <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        <span>{children}</span>
        <Badge tone={tone}>{toneWords[tone]}</Badge>
      </span>
    </Fact>
  )
}

function Waiting({ count, since }: { count: number; since: string | null }) {
  if (count === 0 || since === null) return 'None waiting'
  return (
    <>
      {formatCount(count)} waiting
      {isLate(since) && (
        <>
          , the oldest since <RelativeTime iso={since} />
        </>
      )}
    </>
  )
}
