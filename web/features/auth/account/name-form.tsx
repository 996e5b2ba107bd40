import { useForm } from 'react-hook-form'
import { captureEvent } from '#web/lib/analytics.ts'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SettingsForm } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast.tsx'

const longestName = 100

/** The name that others in the organisation see. */
export function NameForm() {
  const { user_metadata: metadata } = useUser()
  const current = typeof metadata.full_name === 'string' ? metadata.full_name : ''
  const { register, handleSubmit, formState, reset, setError } = useForm({ defaultValues: { name: current } })
  const { errors, isSubmitting, isDirty } = formState

  const submit = handleSubmit(async ({ name: typed }) => {
    const name = typed.trim()
    const { error } = await (await loadAuthClient()).updateUser({ data: { full_name: name } })
    if (error) {
      setError('name', { message: describeAuthError(error) }, { shouldFocus: true })
      return
    }
    reset({ name })
    captureEvent('settings_updated', { setting: 'name' })
    toast({ title: 'Name saved', tone: 'success' })
  })
  return (
    <SettingsForm
      onSubmit={submit}
      actions={
        <Button type="submit" loading={isSubmitting} disabled={!isDirty}>
          Save name
        </Button>
      }
    >
      <Field label="Full name" error={errors.name?.message} hint="Shown next to your activity.">
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            {...register('name', {
              validate: (value) => value.trim() !== '' || 'Please enter your name.',
              maxLength: { value: longestName, message: `At most ${longestName} characters.` },
            })}
          />
        )}
      </Field>
    </SettingsForm>
  )
}
