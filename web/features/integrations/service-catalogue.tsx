import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type IntegrationType, maxIntegrations } from '#contract/integrations.ts'
import { categoryLabels, IntegrationMark } from '#web/shared/integration-mark.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Input } from '#web/ui/input.tsx'

/** Fewer services are in view at once. */
const searchedFrom = 9

interface CatalogueProps {
  services: readonly IntegrationType[]
  canConnect: boolean
  /** As many are connected as an organisation may have. */
  isFull: boolean
}

/** The services that can be connected, by category. */
export function ServiceCatalogue({ services, canConnect, isFull }: CatalogueProps) {
  const [typed, setTyped] = useState('')
  const found = services.filter((service) => isFound(service, typed))
  // `Object.keys` forgets the names.
  const categories = Object.keys(categoryLabels) as IntegrationType['category'][]
  return (
    <section aria-labelledby="catalogue" className="mt-10">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="catalogue" className="font-semibold text-lg">
          Available services
        </h2>
        {services.length >= searchedFrom && (
          <Input
            type="search"
            aria-label="Search services"
            placeholder="Search services"
            className="sm:w-60"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </div>
      {isFull && (
        <p className="mt-2 text-base text-muted">
          You have reached the limit of {maxIntegrations} integrations. Disconnect one to connect another.
        </p>
      )}
      {found.length === 0 && (
        <EmptyState
          icon={<SearchX />}
          title="No results"
          className="py-10"
          action={
            <Button variant="secondary" onClick={() => setTyped('')}>
              Clear search
            </Button>
          }
        >
          No service matches “{typed.trim()}”.
        </EmptyState>
      )}
      {categories.map((category) => (
        <CategoryCards
          key={category}
          category={category}
          services={found.filter((service) => service.category === category)}
          canConnect={canConnect}
        />
      ))}
    </section>
  )
}

function isFound({ name, summary, category }: IntegrationType, typed: string): boolean {
  const text = `${name} ${summary} ${categoryLabels[category]}`.toLocaleLowerCase()
  return text.includes(typed.trim().toLocaleLowerCase())
}

function CategoryCards({
  category,
  services,
  canConnect,
}: {
  category: IntegrationType['category']
  services: readonly IntegrationType[]
  canConnect: boolean
}) {
  if (services.length === 0) return null
  const headingId = `services-${category}`
  return (
    <>
      <h3 id={headingId} className="mt-6 font-medium text-base text-muted">
        {categoryLabels[category]}
      </h3>
      <ul aria-labelledby={headingId} className="mt-2 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {services.map((service) => (
          <li key={service.type} className="flex">
            <ServiceCard service={service} canConnect={canConnect} />
          </li>
        ))}
      </ul>
    </>
  )
}

function ServiceCard({ service, canConnect }: { service: IntegrationType; canConnect: boolean }) {
  const { type, name, summary, direction } = service
  return (
    <Card className="flex w-full flex-col gap-3 p-4">
      <div className="flex min-w-0 items-center gap-3">
        <IntegrationMark service={service} />
        <div className="min-w-0">
          <h4 className="break-words font-medium text-base">{name}</h4>
          {direction === 'two_way' && <p className="text-muted text-sm">Syncs both ways</p>}
        </div>
      </div>
      <p className="flex-1 text-base text-muted">{summary}</p>
      {canConnect && (
        <Button asChild variant="secondary" size="sm" className="self-start">
          <Link to={`/dashboard/integrations/new/${type}`} aria-label={`Connect ${name}`}>
            Connect
          </Link>
        </Button>
      )}
    </Card>
  )
}
