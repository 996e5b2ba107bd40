import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { DoctorReport, Finding, FindingStatus } from '#contract/superadmin-doctor.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { doctorQuery } from './monitoring-queries.ts'

const marks: Readonly<Record<FindingStatus, { tone: BadgeTone; label: string }>> = {
  failed: { tone: 'danger', label: 'Failed' },
  warning: { tone: 'warning', label: 'Warning' },
  ok: { tone: 'success', label: 'OK' },
  not_applicable: { tone: 'neutral', label: 'Not applicable' },
}

/** What the doctor found, and what to do. Checks without a finding are shown on demand. */
export function DoctorCard() {
  const { data: report, error, refetch, isFetching } = useQuery(doctorQuery)
  return (
    <Card aria-labelledby="doctor-title">
      <CardHeader className="flex-row flex-wrap items-start justify-between gap-3">
        <div>
          <CardTitle id="doctor-title">Doctor</CardTitle>
          <CardDescription>
            {report ? (
              <>
                {report.findings.length} checks, made <RelativeTime iso={report.checkedAt} />. On the server:{' '}
                <code className="text-sm">npm run doctor</code>
              </>
            ) : (
              'Checks of the whole instance take a few seconds.'
            )}
          </CardDescription>
        </div>
        <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
          <RefreshCw aria-hidden="true" />
          Check again
        </Button>
      </CardHeader>
      <CardContent>
        {report ? (
          <Findings report={report} />
        ) : error ? (
          <LoadFailure title="Couldn’t check the instance" error={error} onRetry={() => void refetch()} />
        ) : (
          <output>
            <span className="sr-only">Checking the instance</span>
            <Skeleton className="h-32" />
          </output>
        )}
      </CardContent>
    </Card>
  )
}

function Findings({ report: { findings } }: { report: DoctorReport }) {
  const [isAll, setAll] = useState(false)
  const of = (status: FindingStatus) => findings.filter((finding) => finding.status === status)
  const bad = [...of('failed'), ...of('warning')]
  const rest = [...of('ok'), ...of('not_applicable')]
  return (
    <>
      <p className="text-base" aria-live="polite">
        {bad.length === 0
          ? 'No problem found.'
          : `${of('failed').length} failed, ${of('warning').length} ${of('warning').length === 1 ? 'warning' : 'warnings'}.`}
      </p>
      {bad.length > 0 && <FindingList label="Problems" findings={bad} />}
      <Button variant="ghost" size="sm" className="mt-3 -ml-2" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
        {isAll ? 'Hide' : 'Show'} {rest.length} checks without a problem
      </Button>
      {isAll && <FindingList label="Checks without a problem" findings={rest} />}
    </>
  )
}

function FindingList({ label, findings }: { label: string; findings: readonly Finding[] }) {
  return (
    <ul aria-label={label} className="mt-3 divide-y divide-border">
      {findings.map(({ id, area, title, status, sentence, remedy }) => (
        <li key={id} className="py-3 text-base [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={marks[status].tone}>{marks[status].label}</Badge>
            <span className="font-medium">{title}</span>
            <span className="text-muted text-sm">{area}</span>
          </p>
          <p className="mt-1">{sentence}</p>
          {remedy !== null && <p className="mt-1 text-muted">What to do: {remedy.replaceAll('`', '')}</p>}
        </li>
      ))}
    </ul>
  )
}
