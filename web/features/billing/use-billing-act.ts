import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Billing } from '#contract/billing.ts'
import { outdateBilling } from '#web/shared/outdate-billing.ts'
import { billingQuery } from './billing-query.ts'

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
      await outdateBilling(queryClient)
    },
  })
}
