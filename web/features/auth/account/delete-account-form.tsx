import type { AuthError } from '@supabase/auth-js'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { deleteAccount } from '#contract/auth.ts'
import { call } from '#web/lib/api.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { removeStored, storageKeys } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { Address, FormError } from '../auth-frame.tsx'
import { CodeField, readCode, validateCode, wrongCode } from '../code-field.tsx'
import { useCooldown } from '../cooldown.ts'
import { PasswordField } from '../password-field.tsx'
import { createIdentityProof, type IdentityProof } from './prove-identity.ts'

interface Deletion {
  email: string
  password: string
  code: string
}

const otherAddress = 'This doesn’t match your account’s email.'
const wrongPassword = 'The password is not correct.'

/** Proves who asks, deletes the account, and leaves for the front page. Fills the form's errors. */
function useDeletion(own: string, usesCode: boolean) {
  const [proof] = useState(createIdentityProof)
  const [failure, setFailure] = useState<string>()
  const form = useForm<Deletion>()
  const submit = form.handleSubmit(async ({ password, code }) => {
    setFailure(undefined)
    const proven = usesCode ? await proof.byCode(own, readCode(code)) : await proof.byPassword(own, password)
    if ('error' in proven) {
      const isWrong = proven.error?.code === (usesCode ? 'otp_expired' : 'invalid_credentials')
      const [field, message] = usesCode ? (['code', wrongCode] as const) : (['password', wrongPassword] as const)
      if (isWrong) form.setError(field, { message }, { shouldFocus: true })
      else setFailure(describeAuthError(proven.error))
      return
    }
    try {
      await call(deleteAccount, { body: { email: own }, token: proven.token })
    } catch (error) {
      await proof.discard()
      // The client throws errors.
      setFailure((error as Error).message)
      return
    }
    // The session has no account any more.
    removeStored(storageKeys.selectedOrganizationId)
    await signOut('local', '/')
    toast({
      title: 'Account deleted',
      description: 'Your account and data were deleted.',
      tone: 'success',
      durationMs: toastDurationsMs.long,
    })
  })
  return { proof, form, failure, submit }
}

/** Asks for the address, and for the password or a code from an email, then deletes the account. */
export function DeleteAccountForm({ hasPassword, onCancel }: { hasPassword: boolean; onCancel: () => void }) {
  const { email: own = '' } = useUser()
  const [usesCode, setUsesCode] = useState(!hasPassword)
  const { proof, form, failure, submit } = useDeletion(own, usesCode)
  const { register, formState } = form
  const { errors, isSubmitting } = formState
  // Before the other field, so that it takes the focus first.
  const email = register('email', {
    validate: (value = '') => value.trim().toLowerCase() === own.toLowerCase() || otherAddress,
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-base">
        To continue, type your address: <Address>{own}</Address>
      </p>
      <Field label="Your email" error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            {...email}
          />
        )}
      </Field>
      {usesCode ? (
        <CodeProof proof={proof} email={own} form={form} />
      ) : (
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password', { required: 'Please enter your password' })}
        />
      )}
      {hasPassword && (
        <Button variant="link" className="-mt-2 self-start" onClick={() => setUsesCode(!usesCode)}>
          {usesCode ? 'Use your password instead' : 'Use a code from an email instead'}
        </Button>
      )}
      {failure !== undefined && <FormError>{failure}</FormError>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" loading={isSubmitting}>
          Delete account
        </Button>
      </div>
    </form>
  )
}

function CodeProof({ proof, email, form }: { proof: IdentityProof; email: string; form: UseFormReturn<Deletion> }) {
  const { isSending, remainingSeconds, send } = useCooldown('magicLinkSentAt')
  const [failure, setFailure] = useState<string>()
  const sendCode = async () =>
    setFailure(
      await send(async () => {
        const error: AuthError | null = await proof.sendCode(email)
        if (error) throw error
      }),
    )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col items-start gap-2">
        <Button variant="secondary" size="sm" loading={isSending} disabled={remainingSeconds > 0} onClick={sendCode}>
          {remainingSeconds > 0 ? `Email sent (again in ${remainingSeconds} s)` : 'Email me a code'}
        </Button>
        {failure !== undefined && <FormError>{failure}</FormError>}
      </div>
      <CodeField
        error={form.formState.errors.code?.message}
        {...form.register('code', { validate: validateCode, shouldUnregister: true })}
      />
    </div>
  )
}
