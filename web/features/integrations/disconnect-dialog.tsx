import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { deleteIntegration, type Integration } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { formatWaiting } from './integration-state.tsx'
import { integrationsQuery } from './integrations-query.ts'

/** Asks before an integration is deleted, and names the deleted parts. */
export function DisconnectDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { id, name, waiting } = integration
  const disconnecting = useMutation({
    mutationFn: () => call(deleteIntegration, { params: { organizationId: organization.id, integrationId: id } }),
    networkMode: 'always',
    onSuccess: async () => {
      // Away from the page first: it would say that its integration is not found.
      await navigate('/dashboard/integrations')
      toast({ title: 'Integration disconnected', description: name, tone: 'success' })
      await queryClient.invalidateQueries({ queryKey: integrationsQuery(organization.id).queryKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disconnect “${name}”?`}
      action="Disconnect"
      isDangerous
      isPending={disconnecting.isPending}
      error={disconnecting.error}
      onConfirm={() => disconnecting.mutate()}
    >
      <p>This permanently deletes its settings, credentials, links to issues and delivery log.</p>
      {waiting > 0 && <p>Deliveries that are not sent: {formatWaiting(waiting)}.</p>}
      <p>Your feedback stays. Messages and issues in the service stay too.</p>
    </ConfirmDialog>
  )
}
