import { MailQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { captureEvent } from '#web/lib/analytics.ts'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { normalizeEmail } from '#web/lib/email-address.ts'
import { buildCallbackUrl } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SettingsForm } from '#web/ui/settings-section.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { Address, FormError } from '../auth-frame.tsx'
import { useCooldown } from '../cooldown.ts'
import { validateEmail } from '../email-field.tsx'
import { useFreshUser } from './signed-in-user.ts'

/** Changes the email address. The old one stays until the links sent to both are confirmed. */
export function EmailForm() {
  const { user, refetch } = useFreshUser()
  const { appUrl } = useConfig()
  const cooldown = useCooldown('emailChangeSentAt')
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, formState, setError, reset } = useForm<{ email: string }>()
  const { errors, isSubmitting } = formState
  const current = user.email ?? ''
  const emailRedirectTo = buildCallbackUrl(appUrl, { purpose: 'email_change', next: '/dashboard/settings' })

  const submit = handleSubmit(async ({ email: typed }) => {
    setFailure(undefined)
    const email = normalizeEmail(typed)
    const { error } = await (await loadAuthClient()).updateUser({ email }, { emailRedirectTo })
    if (error) {
      const message = describeAuthError(error)
      if (/email_(exists|address)|validation_failed/.test(error.code ?? '')) {
        setError('email', { message }, { shouldFocus: true })
      } else setFailure(message)
      return
    }
    cooldown.start()
    captureEvent('settings_updated', { setting: 'email' })
    await refetch()
    reset()
    toast({
      title: 'Confirm your new email',
      description: 'Click the links that we sent to your old and new email.',
      tone: 'success',
      durationMs: toastDurationsMs.long,
    })
  })
  return (
    <SettingsForm
      onSubmit={submit}
      actions={
        <Button type="submit" loading={isSubmitting}>
          Change email
        </Button>
      }
    >
      <div className="flex flex-col gap-1">
        <p className="font-medium text-base">Current email</p>
        <p className="text-base [overflow-wrap:anywhere]">{current}</p>
      </div>
      {user.new_email !== undefined && user.new_email !== '' && (
        <PendingChange current={current} next={user.new_email} cooldown={cooldown} emailRedirectTo={emailRedirectTo} />
      )}
      <Field
        label="New email"
        error={errors.email?.message}
        hint="We’ll email a link to both addresses. Both links must be confirmed."
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            {...register('email', {
              validate: (value = '') =>
                normalizeEmail(value) === current.toLowerCase() ? 'That’s already your email.' : validateEmail(value),
            })}
          />
        )}
      </Field>
      {failure !== undefined && <FormError>{failure}</FormError>}
    </SettingsForm>
  )
}

/** A change whose links are not both confirmed yet. */
function PendingChange({
  current,
  next,
  cooldown,
  emailRedirectTo,
}: {
  current: string
  next: string
  cooldown: ReturnType<typeof useCooldown>
  emailRedirectTo: string
}) {
  const resend = async () => {
    const failure = await cooldown.send(async () => {
      const { error } = await (await loadAuthClient()).resend({
        type: 'email_change',
        email: current,
        options: { emailRedirectTo },
      })
      if (error) throw error
    })
    if (failure !== undefined) {
      toast({ title: 'Failed to Resend Email', description: failure, tone: 'danger' })
      return
    }
    toast({
      title: 'Email Sent',
      description: 'Links in earlier emails no longer work.',
      tone: 'success',
    })
  }
  return (
    <div className="flex flex-col gap-3 rounded-md bg-warning-soft p-4 text-base">
      <div className="flex gap-3">
        <MailQuestionMark aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-text" />
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium">
            Waiting for confirmation of <Address>{next}</Address>
          </p>
          <p className="text-muted">
            Click the link sent to each address. Until then, sign in with <Address>{current}</Address>.
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pl-7">
        <Button
          variant="secondary"
          size="sm"
          loading={cooldown.isSending}
          disabled={cooldown.remainingSeconds > 0}
          onClick={resend}
        >
          Resend confirmation
        </Button>
        <span className="text-muted text-sm tabular-nums">
          {cooldown.remainingSeconds > 0 && `You can resend in ${cooldown.remainingSeconds} s.`}
        </span>
      </div>
    </div>
  )
}
