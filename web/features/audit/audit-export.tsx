import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { AuditFormat } from '#contract/audit.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'

const formats: readonly { format: AuditFormat; label: string }[] = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON Lines, for programs' },
]

interface AuditExportProps {
  /** Asks for the filtered log. */
  request: (format: AuditFormat) => Promise<Response>
  /** Of the list, which the download is recorded in. */
  queryKey: readonly unknown[]
}

/** Downloads the filtered log. */
export function AuditExport({ request, queryKey }: AuditExportProps) {
  const queryClient = useQueryClient()
  const download = useMutation({
    mutationFn: async (format: AuditFormat) => {
      const response = await request(format)
      // Browsers keep large blobs on the disk.
      const address = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = address
      link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'audit-log'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    networkMode: 'always',
    retry: false,
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
    onError: (error) => toast({ title: 'Couldn’t export the audit log', error, tone: 'danger' }),
  })
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="secondary" loading={download.isPending}>
          <Download aria-hidden="true" />
          Export
        </Button>
      </MenuTrigger>
      <MenuContent align="end" className="w-56">
        {formats.map(({ format, label }) => (
          <MenuItem key={format} onSelect={() => download.mutate(format)}>
            {label}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
