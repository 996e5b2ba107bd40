import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { deleteAccount } from '#contract/auth.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { removeStored, storageKeys } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { Address, FormError } from '../auth-frame.tsx'

/** The end of the account. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 p-5">
      <p className="min-w-0 flex-1 basis-72 text-base">
        Your account goes at once and for good, and with it the organisations that nobody else belongs to: their
        projects and all feedback in them. What you wrote in other organisations stays there.
      </p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Delete your account?" description="This cannot be undone.">
        <DeleteForm onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const { email: own = '' } = useUser()
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, formState, setError } = useForm<{ email: string }>()
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email }) => {
    setFailure(undefined)
    try {
      await call(deleteAccount, { body: { email: email.trim() } })
    } catch (error) {
      const isAddress = error instanceof ApiError && error.findFieldMessage('email') !== undefined
      if (isAddress) setError('email', { message: otherAddress }, { shouldFocus: true })
      else setFailure((error as Error).message)
      return
    }
    // There is nothing left to sign in to.
    removeStored(storageKeys.selectedOrganizationId)
    await signOut('local', '/')
    toast({
      title: 'Account deleted',
      description: 'Everything that was yours alone is gone. Thank you for having been here.',
      tone: 'success',
      durationMs: toastDurationsMs.long,
    })
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-base">
        To go on, type your address: <Address>{own}</Address>
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
            {...register('email', {
              validate: (value = '') => value.trim().toLowerCase() === own.toLowerCase() || otherAddress,
            })}
          />
        )}
      </Field>
      {failure !== undefined && <FormError>{failure}</FormError>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" loading={isSubmitting}>
          Delete for good
        </Button>
      </div>
    </form>
  )
}

const otherAddress = 'This is not the address of your account.'
