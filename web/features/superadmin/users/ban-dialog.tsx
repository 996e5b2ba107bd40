import { useForm } from 'react-hook-form'
import { banInstanceUser, type InstanceUserDetail } from '#contract/superadmin-users.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { dayIn, endOfDay } from '../day-end.ts'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { useUserAct } from './use-user-act.ts'

interface BanDraft {
  reason: string
  /** A day; empty: without end. */
  until: string
}

/** Bans an account, for a reason that stands in the audit log. */
export function BanDialog({ user, onClose }: { user: InstanceUserDetail; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm<BanDraft>({
    defaultValues: { reason: '', until: '' },
  })
  const banning = useUserAct({
    act: ({ reason, until }: BanDraft) =>
      call(banInstanceUser, {
        params: { accountId: user.id },
        body: { reason: reason.trim(), until: until === '' ? null : endOfDay(until) },
      }),
    done: 'User banned',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { reason: 'reason', until: 'until' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Ban ${user.email}?`}
      description="All devices are signed out at once, and the person can’t sign in. Their organisations and feedback stay as they are."
    >
      <form noValidate onSubmit={handleSubmit((draft) => banning.mutate(draft))} className="flex flex-col gap-4">
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
        <Field
          label="Until"
          aside="optional"
          hint="Without a date, the ban stays until you lift it."
          error={formState.errors.until?.message}
        >
          {(control) => <Input {...control} {...register('until')} type="date" min={dayIn(1)} />}
        </Field>
        <FormEnd action="Ban" error={formState.errors.root?.message} isPending={banning.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
