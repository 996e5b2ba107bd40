import { useQuery } from '@tanstack/react-query'
import type { Entitlements } from '#contract/plans.ts'
import { locale } from '#web/lib/locale.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { UsageRow } from '#web/shared/usage-row.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { billingQuery } from './billing-query.ts'
import { entitlementsQuery } from './entitlements-query.ts'
import { InvoiceList } from './invoice-list.tsx'
import { OwedNotice } from './owed-notice.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { PlanSection } from './plan-section.tsx'
import { TestPaymentsNote } from './test-payments-note.tsx'
import { useCheckoutReturn } from './use-checkout-return.ts'

const planDescription = 'What your organisation has, and until when.'
const useDescription = 'Viewers never count. Items are counted by month, in UTC.'

/** The organisation's plan, how much of its limits is used, and how it is paid. */
export function BillingScreen() {
  const { organization } = useOrganization()
  const checkout = useCheckoutReturn(organization.id)
  const entitlements = useQuery(entitlementsQuery(organization.id))
  const billing = useQuery(billingQuery(organization.id))
  const error = entitlements.error ?? billing.error
  const data = entitlements.data && billing.data && { entitlements: entitlements.data, billing: billing.data }
  if (!data && error) {
    const retry = () => void Promise.all([entitlements.refetch(), billing.refetch()])
    return <LoadFailure title="Couldn’t load billing" error={error} onRetry={retry} />
  }
  const isFree = data?.entitlements.status === 'self_hosted'
  // Billing from before the payment is outdated.
  const isReading = checkout.state === 'reading'
  const isKnown = data !== undefined && !isReading
  return (
    <>
      {!isFree && <TestPaymentsNote className="mb-8" />}
      {checkout.state === 'unconfirmed' && isKnown && !data.billing.subscription && (
        <UnconfirmedPayment onRetry={checkout.readAgain} />
      )}
      {isKnown && data.billing.owed && <OwedNotice owed={data.billing.owed} />}
      <div className="flex flex-col divide-y divide-border">
        <SettingsSection title="Plan" description={planDescription}>
          {isKnown && <PlanSection organizationId={organization.id} {...data} />}
          {!isKnown && <Skeleton className="m-5 h-14" />}
          {isReading && (
            <p role="status" className="px-5 pb-5 text-base text-muted">
              Waiting for your payment to be confirmed …
            </p>
          )}
        </SettingsSection>
        <SettingsSection title="Use" description={useDescription}>
          <div className="flex flex-col gap-5 p-5">
            {isKnown ? <Use entitlements={data.entitlements} /> : <Skeleton className="h-36" />}
          </div>
        </SettingsSection>
        {isKnown && data.billing.subscription && (
          <SettingsSection title="Payment" description="How the plan is paid, and whom invoices name.">
            <PaymentDetails organizationId={organization.id} />
          </SettingsSection>
        )}
        {isKnown && !isFree && (
          <SettingsSection title="Invoices" description="Charges and refunds, with their documents.">
            <InvoiceList organizationId={organization.id} />
          </SettingsSection>
        )}
      </div>
    </>
  )
}

/** The plan begins with the payment: live events show it as soon as that is confirmed. */
function UnconfirmedPayment({ onRetry }: { onRetry: () => void }) {
  return (
    <section
      aria-label="Payment not confirmed yet"
      className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-border bg-info-soft p-5 text-base"
    >
      <div className="flex flex-1 basis-64 flex-col gap-0.5">
        <h2 className="font-medium text-info-text">Your payment isn’t confirmed yet</h2>
        <p>Some banks take a while. Your plan starts as soon as it is confirmed. You don’t need to pay again.</p>
      </div>
      <Button variant="secondary" onClick={onRetry}>
        Check again
      </Button>
    </section>
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
