import { useMutation, useQueryClient } from '@tanstack/react-query'
import { joinVisitors, separateVisitor } from '#contract/visitor-joins.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { toast } from '#web/ui/toast.tsx'
import { visitorsKey } from './visitor-queries.ts'

/** Two visitors: the one that stays, and the one that becomes or was its part. */
interface Pair {
  readonly into: string
  readonly part: string
  /** It takes back another, and offers no undo itself. */
  readonly isUndo?: boolean
}

/** Merges visitors and separates them, each with an undo. */
export function useVisitorJoins() {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const params = { organizationId: organization.id }
  const readAgain = async () => {
    void queryClient.invalidateQueries({ queryKey: feedbackKey(organization.id) })
    await queryClient.invalidateQueries({ queryKey: visitorsKey(organization.id) })
  }
  const joining = useMutation({
    networkMode: 'always',
    mutationFn: ({ into, part }: Pair) => call(joinVisitors, { params, body: { into, part } }),
    onSuccess: async ({ part }, { into, isUndo }) => {
      await readAgain()
      toast({
        title: isUndo ? 'Merged again' : 'Visitors merged',
        tone: 'success',
        ...(!isUndo && { action: { label: 'Undo', onPress: () => separating.mutate({ into, part, isUndo: true }) } }),
      })
    },
    onError: (error) => toast({ title: 'Couldn’t merge the visitors', error, tone: 'danger' }),
  })
  const separating = useMutation({
    networkMode: 'always',
    mutationFn: ({ part }: Pair) => call(separateVisitor, { params, body: { part } }),
    onSuccess: async (_, { into, part, isUndo }) => {
      await readAgain()
      toast({
        title: isUndo ? 'Merge undone' : 'Visitors separated',
        tone: 'success',
        ...(!isUndo && { action: { label: 'Undo', onPress: () => joining.mutate({ into, part, isUndo: true }) } }),
      })
    },
    onError: (error) => toast({ title: 'Couldn’t separate the visitors', error, tone: 'danger' }),
  })
  return { joining, separating }
}
