import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getAccountLosses } from '#contract/auth.ts'
import { accountQuery } from '#web/lib/account-query.ts'
import { call } from '#web/lib/api.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { AccountBlocked, AccountLossList } from './account-losses.tsx'
import { DeleteAccountForm } from './delete-account-form.tsx'

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
      <Dialog open={isOpen} onOpenChange={setOpen} title="Delete your account?" description="This can’t be undone.">
        <Deletion onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function Deletion({ onCancel }: { onCancel: () => void }) {
  const user = useUser()
  const losses = useQuery({
    queryKey: [...accountQuery(user.id).queryKey, 'losses'],
    queryFn: ({ signal }) => call(getAccountLosses, { signal }),
    staleTime: 0,
    networkMode: 'always',
  })
  if (losses.data && losses.data.blockedBy.length > 0) {
    return (
      <div className="flex flex-col gap-5">
        <AccountBlocked names={losses.data.blockedBy} />
        <div className="flex justify-end">
          <Button variant="secondary" onClick={onCancel}>
            Close
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <AccountLossList losses={losses.data} />
      <DeleteAccountForm onCancel={onCancel} />
    </div>
  )
}
