import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  type Integration,
  type IntegrationChange,
  type IntegrationType,
  updateIntegration,
} from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { integrationsKey } from '../integrations-query.ts'
import { OwnersOnly } from '../owners-only.tsx'
import { IntegrationBoundary } from '../use-integration.tsx'
import { leaveOutReplaced, startDraft, toChange } from './integration-draft.ts'
import { IntegrationForm } from './integration-form.tsx'

/** Changes a connected service. */
export default function EditIntegrationScreen() {
  const { can } = useOrganization()
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <IntegrationBoundary>
        {(integration, service) => (
          <>
            <BackLink to={`/dashboard/integrations/${integration.id}`}>{integration.name}</BackLink>
            <title>{`Edit ${integration.name} · Earshot`}</title>
            <h1 className="mt-4 break-words font-semibold text-2xl" dir="auto">
              Edit {integration.name}
            </h1>
            {can('manage_integrations') && service ? (
              <Edit key={integration.id} integration={integration} service={service} />
            ) : (
              <OwnersOnly />
            )}
          </>
        )}
      </IntegrationBoundary>
    </div>
  )
}

function Edit({ integration, service }: { integration: Integration; service: IntegrationType }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // As it was when the form opened: states are read again meanwhile.
  const [edited] = useState(integration)
  const asked = leaveOutReplaced(service, edited)
  const [draft, setDraft] = useState(() => startDraft(asked, edited))
  const page = `/dashboard/integrations/${edited.id}`
  const saving = useMutation({
    mutationFn: (body: IntegrationChange) =>
      call(updateIntegration, { params: { organizationId: organization.id, integrationId: edited.id }, body }),
    networkMode: 'always',
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) })
      toast({ title: 'Integration saved', tone: 'success' })
      void navigate(page)
    },
  })
  const save = () => {
    const change = toChange(asked, edited, draft)
    if (change) saving.mutate(change)
    else void navigate(page)
  }
  return (
    <div className="mt-8">
      <IntegrationForm
        service={asked}
        edited={edited}
        draft={draft}
        onChange={setDraft}
        onSubmit={save}
        refusal={saving.error}
        isPending={saving.isPending}
        submitLabel="Save"
        cancel={
          <Button asChild variant="secondary">
            <Link to={page}>Cancel</Link>
          </Button>
        }
      />
    </div>
  )
}
