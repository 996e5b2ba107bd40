import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type MaintenanceState, turnOffReadOnly } from '#contract/maintenance.ts'
import { call } from '#web/lib/api.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { getDateFormat } from '#web/lib/date-style.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { formatCount } from '../format-figures.ts'
import { ListSkeleton } from '../list-skeleton.tsx'
import { maintenanceQuery, useSwitch } from './maintenance-query.ts'
import { ReadOnlyDialog } from './read-only-dialog.tsx'

/** The switch that makes the instance read-only. */
export function MaintenanceScreen() {
  const state = useQuery(maintenanceQuery)
  return (
    <>
      <p className="text-base text-muted">
        Make Earshot read-only while you move its database, change servers or restore a backup. From a terminal:{' '}
        <code className="whitespace-nowrap font-mono text-sm">npm run maintenance -- on</code>
      </p>
      {state.data ? (
        <Switch state={state.data} />
      ) : state.error ? (
        <LoadFailure title="Couldn’t load the state" error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <ListSkeleton label="Loading the state" />
      )}
      <WhatHappens />
    </>
  )
}

type Asked = 'on' | 'off' | undefined

function Switch({ state: { readOnly, runningJobs, waitingJobs } }: { state: MaintenanceState }) {
  const [asked, setAsked] = useState<Asked>()
  return (
    <Card aria-labelledby="mode-title" className="mt-4">
      <CardHeader className="flex flex-row flex-wrap items-center justify-between gap-3">
        <CardTitle id="mode-title" className="flex items-center gap-3">
          Read-only mode
          <Badge tone={readOnly ? 'warning' : 'success'}>{readOnly ? 'On' : 'Off'}</Badge>
        </CardTitle>
        <div className="flex flex-wrap gap-2">
          {readOnly ? (
            <>
              <Button variant="secondary" onClick={() => setAsked('on')}>
                Change banner
              </Button>
              <Button onClick={() => setAsked('off')}>End read-only mode</Button>
            </>
          ) : (
            <Button variant="danger" onClick={() => setAsked('on')}>
              Make read-only
            </Button>
          )}
        </div>
      </CardHeader>
      <CardContent>
        <dl className="divide-y divide-border text-base">
          {readOnly && (
            <>
              <Fact name="Since">
                <RelativeTime iso={readOnly.since} />
              </Fact>
              <Fact name="Turned on by">{readOnly.turnedOnBy}</Fact>
              <Fact name="Message">{readOnly.message ?? 'None'}</Fact>
              <Fact name="Expected end">{readOnly.endsAt === null ? 'Not known' : formatMoment(readOnly.endsAt)}</Fact>
            </>
          )}
          <Fact name="Running jobs">
            {readOnly && runningJobs > 0
              ? `${formatCount(runningJobs)}, still changing data`
              : formatCount(runningJobs)}
          </Fact>
          <Fact name="Waiting jobs">{formatCount(waitingJobs)}</Fact>
        </dl>
      </CardContent>
      {asked === 'on' && <ReadOnlyDialog current={readOnly} onClose={() => setAsked(undefined)} />}
      {asked === 'off' && <EndDialog onClose={() => setAsked(undefined)} />}
    </Card>
  )
}

function EndDialog({ onClose }: { onClose: () => void }) {
  const ending = useSwitch({
    act: () => call(turnOffReadOnly, {}),
    done: 'Earshot takes changes again',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="End read-only mode?"
      action="End read-only mode"
      isPending={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
    >
      <p>
        Everyone can make changes again at once. Jobs, emails and integrations that waited go on. Visitors’ feedback
        arrives within some minutes.
      </p>
    </ConfirmDialog>
  )
}

function formatMoment(iso: string): string {
  const moment = new Date(iso)
  return `${getDateFormat('day').format(moment)}, ${getDateFormat('clock').format(moment)}`
}

const goesOn = [
  'Signing in and out, and reading everything',
  'The API and agents, for reading',
  'Widgets on websites: feedback waits in the visitor’s browser and is sent afterwards',
  'Monitoring and its alerts, backups',
]
const waits = [
  'Every change, by people, API keys and agents',
  'Jobs, exports, imports and retention',
  'Emails, except sign-in links and alerts',
  'Integrations, and calls from Stripe and trackers, which are repeated',
]

function WhatHappens() {
  return (
    <div className="mt-4 grid gap-4 lg:grid-cols-2">
      <List title="Continues" id="goes-on" items={goesOn} />
      <List title="Waits" id="waits" items={waits}>
        <a
          href={withBasePath('/docs/guides/maintenance')}
          className="mt-3 inline-block text-accent-text text-base underline underline-offset-2"
        >
          Read the guide
        </a>
      </List>
    </div>
  )
}

function List({
  title,
  id,
  items,
  children,
}: {
  title: string
  id: string
  items: readonly string[]
  children?: ReactNode
}) {
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="flex list-disc flex-col gap-1 pl-5 text-base text-muted">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        {children}
      </CardContent>
    </Card>
  )
}
