import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type OutboxEmailDetail, retryEmail } from '#contract/superadmin-emails.ts'
import { call } from '#web/lib/api.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { AttemptTable } from './attempt-table.tsx'
import { describeKind } from './describe-kind.ts'
import { emailQuery, emailsKey } from './email-queries.ts'
import { EmailStatusBadge } from './email-status.tsx'

const back = { to: '/dashboard/superadmin/email-monitoring', label: 'Email monitoring' }

/** One email with its attempts. Its subject and body are not shown. */
export function EmailScreen({ id }: { id: string }) {
  const { data: email, error, refetch } = useQuery(emailQuery(id))
  return (
    <div className="flex w-full max-w-3xl flex-col gap-6">
      <BackLink to={back.to}>{back.label}</BackLink>
      {email ? (
        <Email email={email} />
      ) : error ? (
        <DetailFailure
          error={error}
          failure="Couldn’t load this email"
          onRetry={() => void refetch()}
          icon={<MailX />}
          title="Email not found"
          back={back}
        >
          Emails are deleted after 30 days.
        </DetailFailure>
      ) : (
        <ListSkeleton label="Loading the email" />
      )}
    </div>
  )
}

function Email({ email }: { email: OutboxEmailDetail }) {
  const [isAsking, setAsking] = useState(false)
  const { to, kind, status, createdAt, lastError, canRetry, history } = email
  const action = status === 'queued' ? 'Send now' : 'Send again'
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold text-xl [overflow-wrap:anywhere]">
            <bdi>{to}</bdi>
          </h2>
          <p className="text-base text-muted">
            {describeKind(kind)}, queued <time dateTime={createdAt}>{formatFullTime(createdAt)}</time>
          </p>
          <p className="mt-2">
            <EmailStatusBadge status={status} />
          </p>
          {lastError !== null && <p className="mt-2 break-words text-base text-danger-text">{lastError}</p>}
        </div>
        {canRetry && (
          <Button onClick={() => setAsking(true)}>
            <RotateCw aria-hidden="true" />
            {action}
          </Button>
        )}
      </div>
      <AttemptTable attempts={history} />
      {isAsking && <RetryDialog email={email} action={action} onClose={() => setAsking(false)} />}
    </>
  )
}

function RetryDialog({ email, action, onClose }: { email: OutboxEmailDetail; action: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const retrying = useMutation({
    mutationFn: () => call(retryEmail, { params: { emailId: email.id } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Email queued' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: emailsKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Send this email?"
      action={action}
      isPending={retrying.isPending}
      error={retrying.error}
      onConfirm={() => retrying.mutate()}
    >
      <p>
        It goes to {email.to} as it was written{' '}
        <time dateTime={email.createdAt}>{formatFullTime(email.createdAt)}</time>. Links in it may have expired.
      </p>
    </ConfirmDialog>
  )
}
