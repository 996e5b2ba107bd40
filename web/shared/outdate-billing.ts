import type { QueryClient } from '@tanstack/react-query'
import { billingKey, currentOrganizationKey, entitlementsKey } from './query-keys.ts'

/** Reads again everything that shows an organisation's plan: billing, limits and the banner above every screen. */
export async function outdateBilling(queryClient: QueryClient, organizationId: string): Promise<void> {
  await Promise.all(
    [billingKey(organizationId), entitlementsKey(organizationId), currentOrganizationKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}
