import { useMutation, useQueryClient } from '@tanstack/react-query'
import { removeSuppression, type Suppression } from '#contract/email-suppressions.ts'
import { call } from '#web/lib/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { suppressionsKey } from './suppression-queries.ts'

export function RemoveSuppressionDialog({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const queryClient = useQueryClient()
  const removing = useMutation({
    mutationFn: () => call(removeSuppression, { params: { suppressionId: suppression.id } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Address removed' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: suppressionsKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${suppression.address}?`}
      action="Remove address"
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
    >
      <p>Earshot sends emails to this address again. Emails that were not sent stay unsent.</p>
    </ConfirmDialog>
  )
}
