import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { maxIntegrations } from '#contract/integrations.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { IntegrationList } from './integration-list.tsx'
import { integrationTypesQuery } from './integration-queries.ts'
import { integrationsQuery } from './integrations-query.ts'
import { ServiceCatalogue } from './service-catalogue.tsx'

/** Connected services with their state, and below them the services that can be connected. */
export default function IntegrationsScreen() {
  const { organization, can } = useOrganization()
  const connected = useQuery(integrationsQuery(organization.id))
  const services = useQuery(integrationTypesQuery(organization.id))
  const canManage = can('manage_integrations')
  const error = connected.data ? services.error : connected.error
  const isFull = (connected.data?.length ?? 0) >= maxIntegrations
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <header>
        <h1 className="font-semibold text-2xl">Integrations</h1>
        <p className="mt-1 text-base text-muted">
          Send feedback to the tools that your team uses.
          {!canManage && ' Only owners can connect and change integrations.'}
        </p>
      </header>
      {connected.data && services.data ? (
        <>
          <section aria-labelledby="connected" className="mt-8">
            <h2 id="connected" className="font-semibold text-lg">
              Connected
            </h2>
            {connected.data.length === 0 ? (
              <NothingConnected canManage={canManage} />
            ) : (
              <IntegrationList integrations={connected.data} services={services.data} />
            )}
          </section>
          <ServiceCatalogue services={services.data} canConnect={canManage && !isFull} isFull={canManage && isFull} />
        </>
      ) : error ? (
        <LoadFailure
          title="Couldn’t load the integrations"
          error={error}
          onRetry={() => {
            void connected.refetch()
            void services.refetch()
          }}
        />
      ) : (
        <ListSkeleton />
      )}
    </div>
  )
}

function NothingConnected({ canManage }: { canManage: boolean }) {
  return (
    <EmptyState
      icon={<Plug />}
      title="No integrations yet"
      className="mt-3 rounded-xl border border-border border-dashed py-10"
    >
      {canManage
        ? 'Connect a service below. It gets new feedback within seconds.'
        : 'Ask an owner of your organisation to connect a service.'}
    </EmptyState>
  )
}

function ListSkeleton() {
  return (
    <output className="mt-8 block">
      <span className="sr-only">Loading integrations</span>
      <Skeleton className="h-6 w-32" />
      <Skeleton className="mt-3 h-20 rounded-lg" />
      <Skeleton className="mt-10 h-6 w-40" />
      <div className="mt-3 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {['first', 'second', 'third'].map((name) => (
          <Skeleton key={name} className="h-36 rounded-lg" />
        ))}
      </div>
    </output>
  )
}
