import { deleteAccount } from '#contract/auth.ts'
import { call } from '#web/lib/api.ts'
import { forgetSelectedOrganization } from '#web/lib/selected-organization.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { Address } from '../auth-frame.tsx'
import { IdentityForm } from './identity-form.tsx'

const otherAddress = 'This doesn’t match your account’s email.'

/** Asks for the address and a proof of identity, deletes the account, and leaves for the front page. */
export function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const { email: own = '' } = useUser()
  const remove = async (token: string) => {
    await call(deleteAccount, { body: { email: own }, token })
    // The session has no account any more.
    forgetSelectedOrganization()
    await signOut('local', '/')
    toast({
      title: 'Account deleted',
      description: 'Your account and data were deleted.',
      tone: 'success',
      durationMs: toastDurationsMs.long,
    })
  }
  return (
    <IdentityForm
      label="Your email"
      prompt={
        <>
          To continue, type your address: <Address>{own}</Address>
        </>
      }
      checkTyped={(typed) => typed.trim().toLowerCase() === own.toLowerCase() || otherAddress}
      isEmail
      action="Delete account"
      onProven={remove}
      onCancel={onCancel}
    />
  )
}
