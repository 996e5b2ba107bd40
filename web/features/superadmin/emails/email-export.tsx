import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { exportOutboxEmails, type OutboxFilters } from '#contract/superadmin-emails.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Downloads the filtered emails as CSV. */
export function EmailExport({ filters }: { filters: OutboxFilters }) {
  const download = useMutation({
    mutationFn: async () => {
      const response = await send(exportOutboxEmails, { body: filters }, '*/*')
      const address = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = address
      link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'emails.csv'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    networkMode: 'always',
    retry: false,
    onError: (error) => toast({ title: 'Couldn’t export the emails', description: error.message, tone: 'danger' }),
  })
  return (
    <Button variant="secondary" className="sm:ml-auto" loading={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" />
      Export CSV
    </Button>
  )
}
