import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FailedJob, retryFailedJob } from '#contract/superadmin-monitoring.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { failedJobsKey } from './monitoring-queries.ts'

/** Gives a failed job all its attempts again. */
export function useRetryJob({ id, name }: FailedJob) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(retryFailedJob, { params: { jobId: id } }),
    networkMode: 'always',
    retry: false,
    onSuccess: () => toast({ title: `${name} will run again` }),
    onError: (error) => toast({ title: `Couldn’t retry ${name}`, error, tone: 'danger' }),
    // Someone else may have retried it: the list is then old.
    onSettled: () => queryClient.invalidateQueries({ queryKey: failedJobsKey }),
  })
}
