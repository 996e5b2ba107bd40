import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { Button } from '#web/ui/button.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { FormError } from './auth-frame.tsx'
import { CodeField, readCode, validateCode, wrongCode } from './code-field.tsx'

/** Signs in with the code of an email. `type`: the kind of email. */
export function CodeForm({
  email,
  type,
  onVerified,
}: {
  email: string
  type: 'email' | 'recovery'
  onVerified?: () => void
}) {
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, formState, setError } = useForm<{ code: string }>()
  const submit = handleSubmit(async ({ code }) => {
    setFailure(undefined)
    const attempt = startAuthAttempt('callback')
    const { error } = await (await loadAuthClient()).verifyOtp({ email, token: readCode(code), type })
    if (!error) {
      attempt.succeed()
      onVerified?.()
      return
    }
    attempt.fail(error)
    if (error.code === 'otp_expired') setError('code', { message: wrongCode }, { shouldFocus: true })
    else setFailure(describeAuthError(error))
  })
  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <CodeField error={formState.errors.code?.message} {...register('code', { validate: validateCode })} />
      {failure !== undefined && <FormError>{failure}</FormError>}
      <Button type="submit" loading={formState.isSubmitting}>
        Verify code
      </Button>
    </form>
  )
}
