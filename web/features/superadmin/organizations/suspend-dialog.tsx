import { useForm } from 'react-hook-form'
import { type InstanceOrganizationDetail, suspendOrganization } from '#contract/superadmin-organizations.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { useOrganizationAct } from './use-organization-act.ts'

interface SuspensionDraft {
  reason: string
  /** Empty: none. */
  message: string
}

interface SuspendDialogProps {
  organization: InstanceOrganizationDetail
  onClose: () => void
}

/** Suspends an organisation, or changes reason and message of its suspension. */
export function SuspendDialog({ organization: { id, name, suspension }, onClose }: SuspendDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm<SuspensionDraft>({
    defaultValues: { reason: suspension?.reason ?? '', message: suspension?.message ?? '' },
  })
  const suspending = useOrganizationAct({
    act: ({ reason, message }: SuspensionDraft) =>
      call(suspendOrganization, {
        params: { organizationId: id },
        body: { reason: reason.trim(), message: message.trim() || null },
      }),
    done: suspension ? 'Suspension changed' : 'Organisation suspended',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { reason: 'reason', message: 'message' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={suspension ? 'Change the suspension' : `Suspend ${name}?`}
      description={
        suspension
          ? 'Members see the new message at once.'
          : 'Members lose access at once. API keys, connected apps and integrations stop, and its widgets show on no page. Nothing is deleted: feedback that still arrives is stored, and appears when you lift the suspension. Its owners get an email. A subscription continues.'
      }
    >
      <form noValidate onSubmit={handleSubmit((draft) => suspending.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Reason" hint="For superadmins alone." error={formState.errors.reason?.message}>
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
          label="Message to members"
          aside="optional"
          hint="They read it instead of their dashboard."
          error={formState.errors.message?.message}
        >
          {(control) => <Textarea {...control} {...register('message')} rows={4} maxLength={1000} />}
        </Field>
        <FormEnd
          action={suspension ? 'Save' : 'Suspend'}
          isDangerous={!suspension}
          error={formState.errors.root?.message}
          isPending={suspending.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
