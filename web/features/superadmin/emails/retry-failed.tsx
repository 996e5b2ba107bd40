import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { retryFailedEmails } from '#contract/superadmin-emails.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { emailsKey } from './email-queries.ts'

/** Sends all failed emails again, after a question. */
export function RetryFailed() {
  const [isAsking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const retrying = useMutation({
    mutationFn: () => call(retryFailedEmails, {}),
    networkMode: 'always',
    onSuccess: ({ retried }) => {
      toast({ title: retried === 1 ? '1 email queued' : `${retried} emails queued` })
      setAsking(false)
      return queryClient.invalidateQueries({ queryKey: emailsKey })
    },
  })
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        <RotateCw aria-hidden="true" />
        Retry failed emails
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Send all failed emails again?"
        action="Retry failed emails"
        isPending={retrying.isPending}
        error={retrying.error}
        onConfirm={() => retrying.mutate()}
      >
        <p>
          Emails that failed in the last 14 days are sent again, the oldest 1,000 first. Links in them may have expired.
        </p>
      </ConfirmDialog>
    </>
  )
}
