import type { AuthError } from '@supabase/auth-js'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { accountQuery } from '#web/lib/account-query.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import type { IdentityFormProps } from '#web/lib/identity-form.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FormError } from '../auth-frame.tsx'
import { CodeField, readCode, validateCode, wrongCode } from '../code-field.tsx'
import { useCooldown } from '../cooldown.ts'
import { PasswordField } from '../password-field.tsx'
import { createIdentityProof, type IdentityProof } from './prove-identity.ts'

interface Draft {
  typed: string
  password: string
  code: string
}

const wrongPassword = 'The password is not correct.'

/** Proves who asks, then acts with the proof. Fills the form's errors. */
function useProvenAct(usesCode: boolean, onProven: IdentityFormProps['onProven']) {
  const { email: own = '' } = useUser()
  const [proof] = useState(createIdentityProof)
  const [failure, setFailure] = useState<string>()
  const form = useForm<Draft>()
  const submit = form.handleSubmit(async ({ typed, password, code }) => {
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
      await onProven(proven.token, typed)
    } catch (error) {
      // The client throws errors.
      setFailure((error as Error).message)
    } finally {
      await proof.discard()
    }
  })
  return { proof, form, failure, submit }
}

/** Asks for a typed confirmation, and for the password or a code from an email, then acts. */
export function IdentityForm(props: IdentityFormProps) {
  const account = useQuery(accountQuery(useUser().id))
  if (account.isPending) return <Skeleton className="h-40" />
  // Without an answer, the code works for everyone.
  return <ProofForm {...props} hasPassword={account.data?.hasPassword ?? false} />
}

function ProofForm({
  hasPassword,
  label,
  prompt,
  checkTyped,
  isEmail = false,
  action,
  onProven,
  onCancel,
}: IdentityFormProps & { hasPassword: boolean }) {
  const { email: own = '' } = useUser()
  const [usesCode, setUsesCode] = useState(!hasPassword)
  const { proof, form, failure, submit } = useProvenAct(usesCode, onProven)
  const { register, formState } = form
  const { errors, isSubmitting } = formState
  // Before the other field, so that it takes the focus first.
  const typed = register('typed', { validate: (value = '') => checkTyped(value) })
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-base">{prompt}</p>
      <Field label={label} error={errors.typed?.message}>
        {(control) => (
          <Input
            {...control}
            type={isEmail ? 'email' : 'text'}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            {...typed}
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
          {action}
        </Button>
      </div>
    </form>
  )
}

function CodeProof({ proof, email, form }: { proof: IdentityProof; email: string; form: UseFormReturn<Draft> }) {
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
