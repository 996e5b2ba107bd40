import { useForm } from 'react-hook-form'
import { getTimeZone } from '#web/lib/date-style.ts'
import { readFieldMoment, writeFieldMoment } from '#web/lib/field-moment.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormEnd } from '../form-end.tsx'

const dayMs = 86_400_000

interface ScheduleProps {
  /** When it is scheduled now; null: it is not. */
  publishAt: string | null
  isPending: boolean
  error: Error | null
  onSchedule: (publishAt: string) => void
  onClose: () => void
}

/** Asks when to publish a post, on the clock of the person's time zone. */
export function ScheduleDialog({ publishAt, isPending, error, onSchedule, onClose }: ScheduleProps) {
  const suggested = publishAt === null ? new Date(Date.now() + dayMs) : new Date(publishAt)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { at: writeFieldMoment(suggested) } })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Schedule this post">
      <form
        noValidate
        onSubmit={handleSubmit(({ at }) => onSchedule(readFieldMoment(at)?.toISOString() ?? ''))}
        className="flex flex-col gap-4"
      >
        <Field label="Publish on" hint={`Time zone: ${getTimeZone()}`} error={formState.errors.at?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('at', {
                validate: (at) => {
                  const moment = readFieldMoment(at)
                  if (!moment) return 'Enter a date and a time.'
                  return moment.getTime() > Date.now() || 'Enter a time in the future.'
                },
              })}
              type="datetime-local"
            />
          )}
        </Field>
        <FormEnd action="Schedule" error={error?.message} isPending={isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
