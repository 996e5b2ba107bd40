import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Delivery, getDelivery, listDeliveries } from '#contract/deliveries.ts'
import { listIntegrationTypes } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { askAgainMs, integrationsKey } from './integrations-query.ts'

const deliveriesAtOnce = 25

/** Services that can be connected. They change with Earshot's version alone. */
export function integrationTypesQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['integration-types', organizationId],
    queryFn: ({ signal }) => call(listIntegrationTypes, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}

export type DeliveryState = Delivery['state']

/** The delivery log of an integration, latest first, page by page. */
export function deliveriesQuery(organizationId: string, integrationId: string, state: DeliveryState | undefined) {
  return infiniteQueryOptions({
    queryKey: [...integrationsKey(organizationId), 'deliveries', integrationId, state ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      call(listDeliveries, {
        params: { organizationId, integrationId },
        query: {
          limit: deliveriesAtOnce,
          ...(state && { state }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.pages.some(({ items }) => items.some(isWaiting)) ? askAgainMs.waiting : askAgainMs.idle,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** A delivery with every attempt. */
export function deliveryQuery(organizationId: string, integrationId: string, deliveryId: string) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'delivery', integrationId, deliveryId],
    queryFn: ({ signal }) => call(getDelivery, { params: { organizationId, integrationId, deliveryId }, signal }),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? askAgainMs.waiting : false),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

const isWaiting = ({ state }: Pick<Delivery, 'state'>) => state === 'waiting'
