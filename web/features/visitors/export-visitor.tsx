import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { exportVisitor } from '#contract/visitors.ts'
import { send } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Saves everything about a visitor as a ZIP. */
export function ExportVisitor({ visitor }: { visitor: string }) {
  const { organization } = useOrganization()
  const saving = useMutation({
    mutationFn: async () => {
      const input = { params: { organizationId: organization.id }, query: { visitor } }
      const response = await send(exportVisitor, input, 'application/zip')
      // Browsers keep large blobs on the disk.
      const address = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = address
      link.download = 'visitor.zip'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    networkMode: 'always',
    retry: false,
    onError: (error) => toast({ title: 'The export failed', error, tone: 'danger' }),
  })
  return (
    <Button variant="secondary" loading={saving.isPending} onClick={() => saving.mutate()}>
      <Download aria-hidden="true" />
      Export
    </Button>
  )
}
