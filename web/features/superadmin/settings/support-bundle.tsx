import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { downloadSupportBundle } from '#contract/superadmin-settings.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Saves a ZIP for support, without secrets. */
export function SupportBundle() {
  const saving = useMutation({
    mutationFn: async () => {
      const response = await send(downloadSupportBundle, {}, 'application/zip')
      const address = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = address
      link.download = 'earshot-support.zip'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    networkMode: 'always',
    retry: false,
    onError: (error) => toast({ title: 'The download failed', error, tone: 'danger' }),
  })
  return (
    <Button variant="secondary" loading={saving.isPending} onClick={() => saving.mutate()}>
      <Download aria-hidden="true" />
      Download support bundle
    </Button>
  )
}
