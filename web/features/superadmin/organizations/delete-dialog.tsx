import { useForm } from 'react-hook-form'
import { organizationGraceDays } from '#contract/organization-deletion.ts'
import {
  deleteInstanceOrganization,
  type InstanceOrganizationDetail,
  removeInstanceOrganization,
} from '#contract/superadmin-organizations.ts'
import { call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { useOrganizationAct } from './use-organization-act.ts'

interface ConfirmedDraft {
  name: string
  reason: string
}

interface DeleteDialogProps {
  organization: InstanceOrganizationDetail
  onClose: () => void
}

/** Deletes an organisation; a closed one, permanently and now. Asks for its name and a reason. */
export function DeleteDialog({ organization: { id, name, closedAt, deleteAfter }, onClose }: DeleteDialogProps) {
  const isClosed = closedAt !== null
  const { register, handleSubmit, setError, formState } = useForm<ConfirmedDraft>({
    defaultValues: { name: '', reason: '' },
  })
  const deleting = useOrganizationAct({
    act: (draft: ConfirmedDraft) => {
      const body = { name: draft.name.trim(), reason: draft.reason.trim() }
      const request = { params: { organizationId: id }, body }
      return isClosed ? call(removeInstanceOrganization, request) : call(deleteInstanceOrganization, request)
    },
    done: isClosed ? 'The organisation is being removed' : 'Organisation deleted',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { name: 'name', reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isClosed ? `Remove ${name} now?` : `Delete ${name}?`}
      description={
        isClosed
          ? `Everything in it is permanently deleted now, instead of on ${formatDay(deleteAfter ?? closedAt)}. No one can restore it. What Stripe would still charge ends first.`
          : `Members lose access at once, and its widgets show on no page. Everything in it is permanently deleted after ${organizationGraceDays} days. Until then you and its owners can restore it; only you, if it is suspended. Its owners get an email, and nothing is charged any more.`
      }
    >
      <form noValidate onSubmit={handleSubmit((draft) => deleting.mutate(draft))} className="flex flex-col gap-4">
        <Field
          label={
            <>
              Type{' '}
              <bdi className="select-all font-semibold [overflow-wrap:anywhere]" dir="auto">
                {name}
              </bdi>{' '}
              to confirm
            </>
          }
          error={formState.errors.name?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...register('name', {
                validate: (typed) => typed.trim() === name.trim() || 'This doesn’t match the organisation’s name.',
              })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
            />
          )}
        </Field>
        <Field label="Reason" hint="Superadmins can read it in the audit log." error={formState.errors.reason?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('reason', { validate: (value) => value.trim() !== '' || 'Enter a reason.' })}
              autoComplete="off"
              maxLength={500}
            />
          )}
        </Field>
        <FormEnd
          action={isClosed ? 'Remove permanently' : 'Delete organisation'}
          isDangerous
          error={formState.errors.root?.message}
          isPending={deleting.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
