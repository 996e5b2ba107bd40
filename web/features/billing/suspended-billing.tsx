import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { billingQuery } from './billing-query.ts'
import { CancelPlanDialog } from './cancel-plan-dialog.tsx'
import { PortalButton } from './portal-button.tsx'

/** What owners of a suspended organisation can do with its plan: see and pay invoices, and cancel. Nothing without a plan. */
export function SuspendedBilling() {
  const { organization } = useOrganization()
  const { data } = useQuery(billingQuery(organization.id))
  const [isCancelling, setCancelling] = useState(false)
  const { subscription = null, owed = null } = data ?? {}
  if (!subscription && !owed) return null
  return (
    <section aria-label="Plan and payments" className="flex flex-col gap-3">
      <h2 className="font-medium text-base">Plan and payments</h2>
      <p className="text-base text-muted">
        The suspension does not end your plan.{subscription && ` ${describeEnd(subscription)}`}
        {owed && ' A payment is owed.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <PortalButton organizationId={organization.id}>Invoices and payment method</PortalButton>
        {subscription && subscription.cancelAt === null && (
          <Button variant="secondary" onClick={() => setCancelling(true)}>
            Cancel plan
          </Button>
        )}
      </div>
      {isCancelling && subscription && (
        <CancelPlanDialog
          organizationId={organization.id}
          subscription={subscription}
          onClose={() => setCancelling(false)}
        />
      )}
    </section>
  )
}

function describeEnd({
  plan,
  cancelAt,
  periodEnd,
}: {
  plan: { name: string }
  cancelAt: string | null
  periodEnd: string | null
}): string {
  if (cancelAt !== null) return `${plan.name} ends on ${formatDay(cancelAt)}.`
  return periodEnd === null ? `You have ${plan.name}.` : `${plan.name} renews on ${formatDay(periodEnd)}.`
}
