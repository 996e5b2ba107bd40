import { useForm } from 'react-hook-form'
import { captureEvent } from '#web/lib/analytics.ts'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { type DateFormat, dateFormats, readDateStyle } from '#web/lib/date-style.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { SettingsForm } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast.tsx'

const examples: Record<DateFormat, string> = {
  day_first: '23 Nov 2026, 14:30',
  month_first: 'Nov 23, 2026, 2:30 PM',
  iso: '2026-11-23 14:30',
}
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = () => Intl.supportedValuesOf('timeZone')

/** How the person reads dates and times, on all their devices. */
export function DateStyleForm() {
  const { user_metadata: metadata } = useUser()
  const { format, timeZone = '' } = readDateStyle(metadata)
  const { register, handleSubmit, formState, reset, setError } = useForm({ defaultValues: { format, timeZone } })
  const { errors, isSubmitting, isDirty } = formState

  const submit = handleSubmit(async (chosen) => {
    const data = { date_format: chosen.format, time_zone: chosen.timeZone === '' ? null : chosen.timeZone }
    const { error } = await (await loadAuthClient()).updateUser({ data })
    if (error) {
      setError('format', { message: describeAuthError(error) }, { shouldFocus: true })
      return
    }
    reset(chosen)
    captureEvent('settings_updated', { setting: 'dates' })
    toast({ title: 'Dates and times saved', tone: 'success' })
  })
  return (
    <SettingsForm
      onSubmit={submit}
      actions={
        <Button type="submit" loading={isSubmitting} disabled={!isDirty}>
          Save
        </Button>
      }
    >
      <Field label="Date format" error={errors.format?.message}>
        {(control) => (
          <Select {...control} {...register('format')}>
            {dateFormats.map((each) => (
              <option key={each} value={each}>
                {examples[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Time zone" hint="Also decides when a day begins in filters, and when the daily email is sent.">
        {(control) => (
          <Select {...control} {...register('timeZone')}>
            <option value="">{`As the browser (${ownZone()})`}</option>
            {zones().map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </SettingsForm>
  )
}
