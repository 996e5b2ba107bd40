import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { toast } from '#web/ui/toast.tsx'
import { subscriberQuery } from './subscribers-query.ts'

/** An act on the billing of an organisation. Its answer is what the screen shows next. */
export function useBillingAct<Draft>({
  organizationId,
  act,
  done,
  onDone,
  onError,
}: {
  organizationId: string
  act: (draft: Draft) => Promise<SubscriberBilling>
  /** Said afterwards. */
  done: string
  onDone: (billing: SubscriberBilling) => void
  onError: (error: Error) => void
}) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSuccess: (billing) => {
      queryClient.setQueryData(subscriberQuery(organizationId).queryKey, billing)
      toast({ title: done })
      onDone(billing)
    },
    onError,
  })
}
