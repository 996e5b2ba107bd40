import { useQueryClient } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { organizationGraceDays } from '#contract/organization-deletion.ts'
import type { IdentityFormProps } from '#web/lib/identity-form.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { currentOrganizationKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SettingsBar, SettingsSection } from '#web/ui/settings-section.tsx'

const DeleteOrganizationForm = lazy(() => import('./delete-organization-form.tsx'))

/** Exports that an owner may want first. One export holds one location. */
const exportChoices: readonly { label: string; selection: FeedbackSelection }[] = [
  { label: 'Export inbox', selection: {} },
  { label: 'Export archive', selection: { location: 'archived' } },
]

interface DeleteOrganizationProps {
  /** Of the account's feature. */
  IdentityForm: ComponentType<IdentityFormProps>
  /** Of the feedback's feature. */
  ExportDialog: ComponentType<{ selection: FeedbackSelection; count: undefined; onClose: () => void }>
}

const furtherChoices: typeof exportChoices = [
  { label: 'Export spam', selection: { location: 'spam' } },
  { label: 'Export trash', selection: { location: 'trash' } },
]

/** Exports of the inbox and of the archive; of every location where there is no Feedback screen. */
export function ExportButtons({
  ExportDialog,
  isComplete = false,
}: Pick<DeleteOrganizationProps, 'ExportDialog'> & { isComplete?: boolean }) {
  const [exported, setExported] = useState<FeedbackSelection>()
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {[...exportChoices, ...(isComplete ? furtherChoices : [])].map(({ label, selection }) => (
          <Button key={label} variant="secondary" onClick={() => setExported(selection)}>
            <Download aria-hidden="true" />
            {label}
          </Button>
        ))}
      </div>
      <Suspense>
        {exported && <ExportDialog selection={exported} count={undefined} onClose={() => setExported(undefined)} />}
      </Suspense>
    </>
  )
}

/** Deletes the organisation, for those who may: closed at once, removed after the grace. */
export function DeleteOrganization({ IdentityForm, ExportDialog }: DeleteOrganizationProps) {
  const { can } = useOrganization()
  if (!can('delete_organization')) return null
  return (
    <SettingsSection title="Delete organisation" description="Close the organisation for all members, then delete it.">
      <div className="flex flex-col gap-4 p-5">
        <p className="text-base">
          Members lose access at once, and the widgets show on no page. Owners can restore everything for{' '}
          {organizationGraceDays} days. Then all of it is permanently deleted.
        </p>
        <p className="text-base text-muted">
          Export your feedback first: a closed organisation can’t be exported. Spam and trash are exported from the
          Feedback screen.
        </p>
        <ExportButtons ExportDialog={ExportDialog} />
      </div>
      <SettingsBar>
        <DeleteButton IdentityForm={IdentityForm} />
      </SettingsBar>
    </SettingsSection>
  )
}

/** Asks, and deletes the organisation. */
export function DeleteButton({ IdentityForm }: Pick<DeleteOrganizationProps, 'IdentityForm'>) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        Delete organisation
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Delete this organisation?">
        <Suspense>
          <DeleteOrganizationForm
            organization={organization}
            IdentityForm={IdentityForm}
            // Read again, the dashboard makes way for the screen of a closed organisation.
            onDeleted={() => queryClient.invalidateQueries({ queryKey: currentOrganizationKey })}
            onCancel={() => setOpen(false)}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
