import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { exportFailedJobs } from '#contract/superadmin-monitoring.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Downloads the failed jobs that match as CSV. */
export function FailedJobsExport({ search }: { search: string }) {
  const download = useMutation({
    mutationFn: async () => {
      const response = await send(exportFailedJobs, { body: search === '' ? {} : { search } }, '*/*')
      const address = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = address
      link.download = 'failed-jobs.csv'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    networkMode: 'always',
    retry: false,
    onError: (error) => toast({ title: 'Couldn’t export the jobs', error, tone: 'danger' }),
  })
  return (
    <Button variant="secondary" loading={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" />
      Export CSV
    </Button>
  )
}
