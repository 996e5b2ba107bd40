import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { type Integration, type IntegrationType, updateIntegration } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { integrationTypesQuery } from './integration-queries.ts'
import { integrationsKey, integrationsQuery } from './integrations-query.ts'

/** Shows the integration that the address names; until then, and if there is none, what stands in its place. */
export function IntegrationBoundary({
  children,
}: {
  /** The service is undefined where this version of Earshot does not know it. */
  children: (integration: Integration, service: IntegrationType | undefined) => ReactNode
}) {
  const { integrationId } = useParams()
  const { organization } = useOrganization()
  const all = useQuery(integrationsQuery(organization.id))
  const services = useQuery(integrationTypesQuery(organization.id))
  const integration = all.data?.find(({ id }) => id === integrationId)
  if (integration && services.data) {
    return children(
      integration,
      services.data.find(({ type }) => type === integration.type),
    )
  }
  const error = all.data ? services.error : all.error
  return (
    <>
      <BackLink to="/dashboard/integrations">Integrations</BackLink>
      <title>Integration · Earshot</title>
      <h1 className="sr-only">Integration</h1>
      {all.data && !integration && !all.isFetching ? (
        <NotFound />
      ) : error ? (
        <LoadFailure
          title="Couldn’t load the integration"
          error={error}
          onRetry={() => {
            void all.refetch()
            void services.refetch()
          }}
        />
      ) : (
        <IntegrationSkeleton />
      )}
    </>
  )
}

function NotFound() {
  return (
    <EmptyState
      icon={<Plug />}
      title="Integration not found"
      action={
        <Button asChild variant="secondary">
          <Link to="/dashboard/integrations">All integrations</Link>
        </Button>
      }
    >
      It was disconnected, or belongs to another organisation.
    </EmptyState>
  )
}

function IntegrationSkeleton() {
  return (
    <output className="mt-4 block">
      <span className="sr-only">Loading integration</span>
      <div className="flex items-center gap-3">
        <Skeleton className="size-10 rounded-md" />
        <Skeleton className="h-7 w-56" />
      </div>
      <div className="mt-6 grid gap-6 lg:grid-cols-[1fr_20rem]">
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-56 rounded-lg" />
      </div>
    </output>
  )
}

type WantedState = 'active' | 'paused'
const doneWords = { active: 'Integration resumed', paused: 'Integration paused' } as const

/** Pauses and resumes, which one can undo, and enables an integration that Earshot disabled. */
export function useStateChange({ id, state: before }: Integration) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const changing = useMutation({
    mutationFn: (state: WantedState) =>
      call(updateIntegration, { params: { organizationId: organization.id, integrationId: id }, body: { state } }),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) }),
    onError: (error) => toast({ title: error.message, tone: 'danger' }),
  })
  const change = (state: WantedState) =>
    changing.mutate(state, {
      onSuccess: () =>
        toast({
          title: before === 'disabled' ? 'Integration enabled' : doneWords[state],
          tone: 'success',
          ...(before !== 'disabled' && {
            action: { label: 'Undo', onPress: () => changing.mutate(state === 'active' ? 'paused' : 'active') },
          }),
        }),
    })
  return { change, isPending: changing.isPending }
}
