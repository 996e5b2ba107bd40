import { restoreOrganization } from '#contract/organization-deletion.ts'
import { type InstanceOrganizationDetail, liftSuspension } from '#contract/superadmin-organizations.ts'
import { call } from '#web/lib/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useOrganizationAct } from './use-organization-act.ts'

/** Acts that need no more than a yes. */
const acts = {
  restore: {
    title: (name: string) => `Restore ${name}?`,
    action: 'Restore',
    done: 'Organisation restored',
    text: 'Its members have access again, with everything in it. A subscription that was cancelled stays cancelled.',
    contract: restoreOrganization,
  },
  lift: {
    title: (name: string) => `Lift the suspension of ${name}?`,
    action: 'Lift suspension',
    done: 'Suspension lifted',
    text: 'Its members have access again at once, and its widgets show. Feedback that arrived meanwhile appears in the inbox. Its owners get an email.',
    contract: liftSuspension,
  },
} as const
export type AskedAct = keyof typeof acts

export function OrganizationActDialog({
  organization,
  act,
  onClose,
}: {
  organization: InstanceOrganizationDetail
  act: AskedAct
  onClose: () => void
}) {
  const { title, action, done, text, contract } = acts[act]
  const acting = useOrganizationAct({
    act: () => call<typeof contract>(contract, { params: { organizationId: organization.id } }),
    done,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title(organization.name)}
      action={action}
      isPending={acting.isPending}
      error={acting.error}
      onConfirm={() => acting.mutate()}
    >
      <p>{text}</p>
      {act === 'restore' && organization.suspendedAt !== null && (
        <p>It stays suspended until you lift the suspension.</p>
      )}
    </ConfirmDialog>
  )
}
