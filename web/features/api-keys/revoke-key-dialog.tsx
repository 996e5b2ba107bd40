import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ApiKey, revokeApiKey } from '#contract/api-keys.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { apiKeysQuery } from './api-keys-query.ts'

interface DialogProps {
  projectId: string
  revoked: ApiKey
  onClose: () => void
}

/** Asks before a key stops working, which can't be undone. */
export function RevokeKeyDialog({ projectId, revoked, onClose }: DialogProps) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const revoking = useMutation({
    mutationFn: () => call(revokeApiKey, { params: { organizationId: organization.id, projectId, keyId: revoked.id } }),
    networkMode: 'always',
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery(organization.id, projectId).queryKey })
      toast({ title: 'API key revoked', description: revoked.name, tone: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${revoked.name}”?`}
      description="Programs that use this key are refused at once. You can’t undo this."
    >
      {revoking.error && (
        <p role="alert" className="mb-4 text-base text-danger-text">
          {revoking.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" loading={revoking.isPending} onClick={() => revoking.mutate()}>
          Revoke API key
        </Button>
      </div>
    </Dialog>
  )
}
