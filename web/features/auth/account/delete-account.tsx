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

/** Permanently deletes the account. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 p-5">
      <p className="min-w-0 flex-1 basis-72 text-base">
        Your account is deleted immediately and permanently. So are organisations without other members, with their
        projects and feedback. Your comments in other organisations stay.
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
      // The client throws errors.
      else setFailure((error as Error).message)
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
          Delete account
        </Button>
      </div>
    </form>
  )
}

const otherAddress = 'This doesn’t match your account’s email.'
