import type { Integration, IntegrationType } from '#contract/integrations.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { IntegrationMark } from '#web/shared/integration-mark.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { DeliveryLog } from './deliveries/delivery-log.tsx'
import { IntegrationActions } from './integration-actions.tsx'
import { IntegrationFacts } from './integration-facts.tsx'
import { ServiceName } from './integration-list.tsx'
import { StateBadge } from './integration-state.tsx'
import { TestResult, useTest } from './send-test.tsx'
import { StateBanner } from './state-banner.tsx'
import { IntegrationBoundary } from './use-integration.tsx'

/** One connected service: its state, its settings and its delivery log. */
export default function IntegrationScreen() {
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <IntegrationBoundary>
        {(integration, service) => (
          <IntegrationDetail key={integration.id} integration={integration} service={service} />
        )}
      </IntegrationBoundary>
    </div>
  )
}

function IntegrationDetail({
  integration,
  service,
}: {
  integration: Integration
  service: IntegrationType | undefined
}) {
  const { can } = useOrganization()
  const canManage = can('manage_integrations')
  const test = useTest(integration.id)
  return (
    <>
      <BackLink to="/dashboard/integrations">Integrations</BackLink>
      <title>{`${integration.name} · Earshot`}</title>
      <header className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 items-start gap-3">
          <IntegrationMark service={service} className="size-11" />
          <div className="min-w-0">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              <h1 className="min-w-0 break-words font-semibold text-2xl" dir="auto">
                {integration.name}
              </h1>
              <StateBadge integration={integration} />
            </div>
            <p className="flex min-w-0 flex-wrap gap-x-2 text-base text-muted">
              <ServiceName integration={integration} service={service} />
            </p>
          </div>
        </div>
        {canManage && <IntegrationActions integration={integration} service={service} test={test} />}
      </header>
      <div className="mt-4 flex flex-col gap-3 empty:hidden">
        <StateBanner integration={integration} canManage={canManage} />
        <TestResult test={test} />
      </div>
      {canManage ? (
        <div className="mt-6 grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
          <DeliveryLog integration={integration} />
          <IntegrationFacts integration={integration} service={service} />
        </div>
      ) : (
        <div className="mt-6 flex max-w-2xl flex-col gap-6">
          <p className="text-base text-muted">Only owners can see deliveries and change this integration.</p>
          <IntegrationFacts integration={integration} service={service} />
        </div>
      )}
    </>
  )
}
