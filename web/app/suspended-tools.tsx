import { lazy } from 'react'
import { IdentityForm } from '../features/auth/account/identity-form.tsx'
import { SuspendedBilling } from '../features/billing/suspended-billing.tsx'
import { DeleteButton, ExportButtons } from '../features/organizations/delete-organization.tsx'

const ExportDialog = lazy(() => import('../features/feedback/transfer/export-dialog.tsx'))

/** What owners can do while their organisation is suspended: take their data away, pay and cancel, delete it. */
export default function SuspendedTools() {
  return (
    <>
      <section aria-label="Your data" className="flex flex-col gap-3">
        <h2 className="font-medium text-base">Your data</h2>
        <p className="text-base text-muted">
          As an owner, you can export all feedback. What arrived since the suspension has no content in it yet.
        </p>
        <ExportButtons ExportDialog={ExportDialog} isComplete />
      </section>
      <SuspendedBilling />
      <section aria-label="Delete organisation" className="flex flex-col items-start gap-3">
        <h2 className="font-medium text-base">Delete organisation</h2>
        <p className="text-base text-muted">
          Everything in it is permanently deleted after 30 days. Only those who run this Earshot instance can restore
          it.
        </p>
        <DeleteButton IdentityForm={IdentityForm} />
      </section>
    </>
  )
}
