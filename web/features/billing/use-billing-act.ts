import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Billing } from '#contract/billing.ts'
import { billingKey, billingQuery } from './billing-query.ts'
import { entitlementsQuery } from './entitlements-query.ts'

/**
 * Changes the plan of an organisation. Everything that shows the plan is read again.
 *
 * @param act answers with the billing that it has led to.
 */
export function useBillingAct<T>(
  organizationId: string,
  act: (input: T) => Promise<Billing>,
  onDone: (billing: Billing) => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSuccess: async (billing) => {
      queryClient.setQueryData(billingQuery(organizationId).queryKey, billing)
      onDone(billing)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: billingKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: entitlementsQuery(organizationId).queryKey }),
        // The banner above every screen.
        queryClient.invalidateQueries({ queryKey: ['current-organization'] }),
      ])
    },
  })
}
