import { useForm } from 'react-hook-form'
import { grantSuperadmin, type InstanceUserDetail } from '#contract/superadmin-users.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { useUserAct } from './use-user-act.ts'

/** Makes an account superadmin, for a reason that stands in the audit log. */
export function GrantSuperadminDialog({ user, onClose }: { user: InstanceUserDetail; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: '' } })
  const granting = useUserAct({
    act: ({ reason }: { reason: string }) =>
      call(grantSuperadmin, { params: { accountId: user.id }, body: { reason: reason.trim() } }),
    done: 'Superadmin added',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { reason: 'reason' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Make ${user.email} superadmin?`}
      description="The person holds every permission in every organisation, and can open this area."
    >
      <form noValidate onSubmit={handleSubmit((draft) => granting.mutate(draft))} className="flex flex-col gap-4">
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
          action="Make superadmin"
          error={formState.errors.root?.message}
          isPending={granting.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
