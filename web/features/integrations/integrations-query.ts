import { queryOptions } from '@tanstack/react-query'
import { connectedQuery } from '#web/shared/connected-query.ts'

export { integrationsKey } from '#web/shared/connected-query.ts'

/** Between two reads of states and deliveries, while a delivery or a webhook waits and otherwise. */
export const askAgainMs = { waiting: 3_000, idle: 15_000 }

/** Connected services and their state. */
export function integrationsQuery(organizationId: string) {
  return queryOptions({
    ...connectedQuery(organizationId),
    select: ({ items }) => items,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ waiting, hook }) => waiting > 0 || hook === 'pending')
        ? askAgainMs.waiting
        : askAgainMs.idle,
    refetchOnMount: 'always',
  })
}
