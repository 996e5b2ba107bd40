import { queryOptions } from '@tanstack/react-query'
import { listIntegrations } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'

/** Everything cached of an organisation's integrations. */
export const integrationsKey = (organizationId: string) => ['integrations', organizationId] as const

/** Connected services. */
export function connectedQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'list'],
    queryFn: ({ signal }) => call(listIntegrations, { params: { organizationId }, signal }),
    networkMode: 'always',
  })
}
