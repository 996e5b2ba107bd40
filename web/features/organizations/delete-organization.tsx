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

/** Deletes the organisation, for those who may: closed at once, removed after the grace. */
export function DeleteOrganization({ IdentityForm, ExportDialog }: DeleteOrganizationProps) {
  const { organization, can } = useOrganization()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [exported, setExported] = useState<FeedbackSelection>()
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
        <div className="flex flex-wrap gap-2">
          {exportChoices.map(({ label, selection }) => (
            <Button key={label} variant="secondary" onClick={() => setExported(selection)}>
              <Download aria-hidden="true" />
              {label}
            </Button>
          ))}
        </div>
      </div>
      <SettingsBar>
        <Button variant="danger" onClick={() => setOpen(true)}>
          <Trash2 aria-hidden="true" />
          Delete organisation
        </Button>
      </SettingsBar>
      <Suspense>
        {exported && <ExportDialog selection={exported} count={undefined} onClose={() => setExported(undefined)} />}
      </Suspense>
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
    </SettingsSection>
  )
}
