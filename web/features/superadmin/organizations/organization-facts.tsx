import { Link } from 'react-router'
import { type InstanceOrganizationDetail, itemCountLimit } from '#contract/superadmin-organizations.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Fact } from '#web/ui/fact.tsx'

const area = '/dashboard/superadmin'

export function FactsCard({ organization }: { organization: InstanceOrganizationDetail }) {
  const { id, slug, createdAt, closedAt, deleteAfter, recentItems, itemCount, days } = organization
  return (
    <Card aria-labelledby="organization-title">
      <CardHeader>
        <CardTitle id="organization-title">Organisation</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="divide-y divide-border text-base">
          <Fact name="Address">{slug}</Fact>
          <Fact name="Created">{formatFullTime(createdAt)}</Fact>
          <Fact name="Stored feedback">{formatQuantity(itemCount, 'item', itemCountLimit)}</Fact>
          <Fact name="Last 30 days">
            {recentItems === 0
              ? 'No items received'
              : `${formatItems(recentItems)} received on ${formatQuantity(days.filter(({ items }) => items > 0).length, 'day')}`}
          </Fact>
          {closedAt !== null && <Fact name="Deleted">{formatFullTime(closedAt)}</Fact>}
          {deleteAfter !== null && <Fact name="Removed with everything in it">{formatFullTime(deleteAfter)}</Fact>}
          <Fact name="Audit log">
            <Link className="underline underline-offset-4" to={`${area}/audit?organization=${id}`}>
              Changes in this organisation
            </Link>
          </Fact>
          <Fact name="Emails">
            <Link className="underline underline-offset-4" to={`${area}/email-monitoring?organization=${id}`}>
              Emails about this organisation
            </Link>
          </Fact>
        </dl>
      </CardContent>
    </Card>
  )
}

/** Reason and message of the suspension. */
export function SuspensionCard({
  organization: { suspension, suspendedAt },
  onChange,
}: {
  organization: InstanceOrganizationDetail
  onChange: () => void
}) {
  if (!suspension || suspendedAt === null) return null
  const { reason, message, byName } = suspension
  return (
    <Card aria-labelledby="suspension-title">
      <CardHeader>
        <CardTitle id="suspension-title">Suspension</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-4">
        <dl className="w-full divide-y divide-border text-base">
          <Fact name="Since">{formatFullTime(suspendedAt)}</Fact>
          <Fact name="By">
            <bdi>{byName ?? 'A deleted account'}</bdi>
          </Fact>
          <Fact name="Reason">
            <span className="[overflow-wrap:anywhere]">{reason}</span>
          </Fact>
          <Fact name="Message to members">
            <span className="whitespace-pre-line [overflow-wrap:anywhere]">{message ?? 'None'}</span>
          </Fact>
        </dl>
        <Button variant="secondary" onClick={onChange}>
          Change
        </Button>
      </CardContent>
    </Card>
  )
}
