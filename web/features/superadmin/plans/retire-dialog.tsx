import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Plan, updatePlan } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { allPlansQuery } from './all-plans-query.ts'

/** Retires a plan, or offers it again. */
export function RetireDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const queryClient = useQueryClient()
  const isOffered = plan.retiredAt === null
  const changing = useMutation({
    mutationFn: () => call(updatePlan, { params: { planId: plan.id }, body: { retired: isOffered } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: isOffered ? 'Plan retired' : 'Plan offered' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: allPlansQuery.queryKey })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${isOffered ? 'Retire' : 'Offer'} ${plan.name}?`}
      action={isOffered ? 'Retire plan' : 'Offer plan'}
      isPending={changing.isPending}
      error={changing.error}
      onConfirm={() => changing.mutate()}
    >
      <p>
        {isOffered
          ? 'No one can choose it any more. Organisations that have it keep it.'
          : 'Organisations can choose it again.'}
      </p>
    </ConfirmDialog>
  )
}
