import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Entitlements } from '#contract/plans.ts'
import { locale } from '#web/lib/locale.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatDay } from '#web/lib/relative-time.ts'
import { UsageRow } from '#web/shared/usage-row.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { SettingsBar, SettingsSection } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { describeSubscription } from './describe-subscription.ts'
import { entitlementsQuery } from './entitlements-query.ts'

const planDescription = 'What your organisation has, and until when.'
const useDescription = 'Viewers never count. Items are counted by month, in UTC.'

/** The organisation's plan, and how much of its limits is used. */
export function BillingScreen() {
  const { organization } = useOrganization()
  const { data, error, refetch } = useQuery(entitlementsQuery(organization.id))
  if (!data && error) return <LoadFailure title="Couldn’t load billing" error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col divide-y divide-border">
      <SettingsSection title="Plan" description={planDescription}>
        {data ? <PlanSummary entitlements={data} /> : <Skeleton className="m-5 h-14" />}
      </SettingsSection>
      <SettingsSection title="Use" description={useDescription}>
        <div className="flex flex-col gap-5 p-5">
          {data ? <Use entitlements={data} /> : <Skeleton className="h-36" />}
        </div>
      </SettingsSection>
    </div>
  )
}

function PlanSummary({ entitlements }: { entitlements: Entitlements }): ReactNode {
  const { title, text, hasPlans } = describeSubscription(entitlements, formatDay)
  return (
    <>
      <div className="flex flex-col gap-1 p-5 text-base">
        <p className="font-medium text-lg">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      {hasPlans && (
        <SettingsBar>
          <Button asChild variant={entitlements.hasEnded ? 'primary' : 'secondary'}>
            <Link to="/plan-selection">Compare plans</Link>
          </Button>
        </SettingsBar>
      )}
    </>
  )
}

function Use({ entitlements: { status, projects, members, items } }: { entitlements: Entitlements }) {
  return (
    <>
      <UsageRow name="Projects" to="/dashboard/projects" {...toRow(projects, 'Archive a project to make room.')} />
      <UsageRow
        name="Members and invitations"
        to="/dashboard/team"
        {...toRow(members, 'Remove a member or revoke an invitation to make room.')}
      />
      {status !== 'self_hosted' && (
        <UsageRow name="Items this month" {...toRow(items, 'New items are stored and locked.')} />
      )}
    </>
  )
}

const nearlyFull = 0.8

function toRow({ used, max }: Entitlements['projects'], remedy: string) {
  const shown = used.toLocaleString(locale)
  const note = max === null || used < max * nearlyFull ? undefined : used < max ? 'Nearly full.' : `Full. ${remedy}`
  return { text: max === null ? shown : `${shown} of ${max.toLocaleString(locale)}`, note, used, limit: max }
}
