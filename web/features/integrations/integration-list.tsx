import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Integration, IntegrationType } from '#contract/integrations.ts'
import { IntegrationMark } from '#web/shared/integration-mark.tsx'
import { DeliveryTimes, StateBadge } from './integration-state.tsx'

interface ListProps {
  integrations: readonly Integration[]
  services: readonly IntegrationType[]
}

/** A row for each connected service: the whole row leads to its page. */
export function IntegrationList({ integrations, services }: ListProps) {
  return (
    <ul
      aria-label="Connected services"
      className="mt-3 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
    >
      {integrations.map((integration) => (
        <IntegrationRow
          key={integration.id}
          integration={integration}
          service={services.find(({ type }) => type === integration.type)}
        />
      ))}
    </ul>
  )
}

function IntegrationRow({ integration, service }: { integration: Integration; service: IntegrationType | undefined }) {
  const { id, name, reason } = integration
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-hover">
      <IntegrationMark service={service} className="self-start" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={`/dashboard/integrations/${id}`}
            dir="auto"
            className="min-w-0 break-words font-medium text-base after:absolute after:inset-0 after:content-[''] focus-visible:outline-none focus-visible:after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:outline-offset-[-2px]"
          >
            {name}
          </Link>
          <StateBadge integration={integration} />
        </div>
        <p className="flex flex-wrap gap-x-2 text-muted text-sm [&>:not(:last-child)]:after:ml-2 [&>:not(:last-child)]:after:content-['·']">
          <ServiceName integration={integration} service={service} />
          <DeliveryTimes integration={integration} />
        </p>
        {reason !== null && <p className="text-danger-text text-sm [overflow-wrap:anywhere]">{reason}</p>}
      </div>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </li>
  )
}

/** The service, unless the integration has its name, and the account. */
export function ServiceName({
  integration: { name, type, account },
  service,
}: {
  integration: Integration
  service: IntegrationType | undefined
}) {
  const serviceName = service?.name ?? type
  return (
    <>
      {serviceName !== name && <span>{serviceName}</span>}
      {account !== null && (
        <bdi className="min-w-0 max-w-full truncate" title={account}>
          {account}
        </bdi>
      )}
    </>
  )
}
