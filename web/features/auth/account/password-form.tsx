import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { accountQuery } from '#web/lib/account-query.ts'
import { captureEvent } from '#web/lib/analytics.ts'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FormSkeleton, SettingsForm } from '#web/ui/settings-section.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { FormError } from '../auth-frame.tsx'
import { type PasswordChange, PasswordChangeFields } from '../password-change-fields.tsx'
import { devicesQuery } from './devices-query.ts'

/** Changes the password, or sets the first one for an account made with Google or an emailed link. */
export function PasswordForm() {
  const user = useUser()
  const account = useQuery(accountQuery(user.id))
  if (account.data) return <PasswordChangeForm key={user.id} hasPassword={account.data.hasPassword} />
  if (account.isError)
    return <LoadFailure title="Couldn’t load your account" error={account.error} onRetry={() => account.refetch()} />
  return <FormSkeleton fieldCount={3} />
}

/** The field to mark for each error code. */
const fieldsByCode: Readonly<Record<string, keyof PasswordChange>> = {
  weak_password: 'password',
  same_password: 'password',
  current_password_required: 'current',
  current_password_invalid: 'current',
}

function PasswordChangeForm({ hasPassword }: { hasPassword: boolean }) {
  const user = useUser()
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const form = useForm<PasswordChange>()
  const { handleSubmit, formState, setError, reset } = form

  const submit = handleSubmit(async ({ current, password }) => {
    setFailure(undefined)
    const { error } = await (await loadAuthClient()).updateUser({
      password,
      ...(current && { current_password: current }),
    })
    if (error) {
      const field = Object.hasOwn(fieldsByCode, error.code ?? '') ? fieldsByCode[error.code ?? ''] : undefined
      const message = describeAuthError(error)
      if (field) setError(field, { message }, { shouldFocus: true })
      else setFailure(message)
      return
    }
    reset()
    captureEvent('settings_updated', { setting: 'password' })
    void queryClient.invalidateQueries({ queryKey: accountQuery(user.id).queryKey })
    void queryClient.invalidateQueries({ queryKey: devicesQuery(user.id).queryKey })
    toast({
      title: hasPassword ? 'Password changed' : 'Password set',
      description: 'You are signed in here. Other devices have been signed out.',
      tone: 'success',
      durationMs: toastDurationsMs.medium,
    })
  })
  return (
    <SettingsForm
      onSubmit={submit}
      actions={
        <Button type="submit" loading={formState.isSubmitting}>
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      }
    >
      <PasswordChangeFields form={form} email={user.email ?? ''} asksCurrent={hasPassword} />
      {failure !== undefined && <FormError>{failure}</FormError>}
    </SettingsForm>
  )
}
