import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteFailedJob, type FailedJob, retryFailedJobs } from '#contract/superadmin-monitoring.ts'
import { call } from '#web/lib/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { failedJobsKey } from './monitoring-queries.ts'

/** Asks before all failed jobs that match run again. */
export function RetryJobsDialog({ search, count, onClose }: { search: string; count: number; onClose: () => void }) {
  const queryClient = useQueryClient()
  const retrying = useMutation({
    mutationFn: () => call(retryFailedJobs, { body: search === '' ? {} : { search } }),
    networkMode: 'always',
    retry: false,
    onSuccess: ({ count: retried }) => {
      toast({ title: retried === 1 ? '1 job will run again' : `${retried} jobs will run again` })
      onClose()
      return queryClient.invalidateQueries({ queryKey: failedJobsKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={count === 1 ? 'Retry 1 failed job?' : `Retry ${count} failed jobs?`}
      action="Retry jobs"
      isPending={retrying.isPending}
      error={retrying.error}
      onConfirm={() => retrying.mutate()}
    >
      <p>Each gets all its attempts again. Jobs whose cause is not removed fail again.</p>
    </ConfirmDialog>
  )
}

/** Asks before a failed job is deleted. */
export function DeleteJobDialog({ job: { id, name }, onClose }: { job: FailedJob; onClose: () => void }) {
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => call(deleteFailedJob, { params: { jobId: id } }),
    networkMode: 'always',
    retry: false,
    onSuccess: () => {
      toast({ title: `${name} deleted` })
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: failedJobsKey }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name} #${id}?`}
      action="Delete job"
      isDangerous
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <p>The job is permanently deleted. What it should do is not done.</p>
    </ConfirmDialog>
  )
}
