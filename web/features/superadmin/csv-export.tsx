import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

interface CsvExportProps {
  request: () => Promise<Response>
  /** Title of the message after a failure. */
  failure: string
  label?: string
  className?: string
}

/** Downloads a list as a file, by default as CSV. */
export function CsvExport({ request, failure, label = 'Export CSV', className = 'sm:ml-auto' }: CsvExportProps) {
  const download = useMutation({
    mutationFn: async () => {
      const response = await request()
      const address = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = address
      link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export.csv'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    networkMode: 'always',
    retry: false,
    onError: (error) => toast({ title: failure, error, tone: 'danger' }),
  })
  return (
    <Button variant="secondary" className={className} loading={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" />
      {label}
    </Button>
  )
}
