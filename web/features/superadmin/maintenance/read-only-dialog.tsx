import { useForm } from 'react-hook-form'
import { maxMessageLength, type ReadOnlyNotice, turnOnReadOnly } from '#contract/maintenance.ts'
import { call } from '#web/lib/api.ts'
import { readFieldMoment, writeFieldMoment } from '#web/lib/field-moment.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { useSwitch } from './maintenance-query.ts'

interface Draft {
  message: string
  /** `2026-01-31T22:00` in the person's time zone; empty: not known. */
  endsAt: string
}

/** Turns read-only mode on, or changes its message and end while it is. Says what will happen. */
export function ReadOnlyDialog({ current, onClose }: { current: ReadOnlyNotice | null; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm<Draft>({
    defaultValues: {
      message: current?.message ?? '',
      endsAt: current?.endsAt ? writeFieldMoment(new Date(current.endsAt)) : '',
    },
  })
  const switching = useSwitch({
    act: ({ message, endsAt }: Draft) =>
      call(turnOnReadOnly, {
        body: { message: message.trim() || null, endsAt: readFieldMoment(endsAt)?.toISOString() ?? null },
      }),
    done: current ? 'Banner changed' : 'Earshot is read-only',
    onDone: onClose,
    onError: (error) => showFieldErrors(error, setError, { message: 'message', endsAt: 'endsAt' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={current ? 'Change the banner' : 'Make Earshot read-only?'}
      {...(!current && {
        description:
          'Everyone can sign in and read. All changes are refused until you end it. Visitors’ feedback waits in their browsers, and jobs, emails and integrations wait here.',
      })}
    >
      <form noValidate onSubmit={handleSubmit((draft) => switching.mutate(draft))} className="flex flex-col gap-4">
        <Field
          label="Message"
          aside="optional"
          hint="Shown to everyone who is signed in."
          error={formState.errors.message?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...register('message')}
              autoComplete="off"
              maxLength={maxMessageLength}
              placeholder="We move to a larger server."
            />
          )}
        </Field>
        <Field
          label="Expected end"
          aside="optional"
          hint="It does not end by itself."
          error={formState.errors.endsAt?.message}
        >
          {(control) => <Input {...control} {...register('endsAt')} type="datetime-local" />}
        </Field>
        <FormEnd
          action={current ? 'Save' : 'Make read-only'}
          isDangerous={!current}
          error={formState.errors.root?.message}
          isPending={switching.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
