import type { QueryClient } from '@tanstack/react-query'
import { billingKey, currentOrganizationKey } from './query-keys.ts'

/** Reads again everything that shows the plan: billing, limits, and the organisation with the banner above every screen. */
export async function outdateBilling(queryClient: QueryClient): Promise<void> {
  await Promise.all([billingKey, currentOrganizationKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
