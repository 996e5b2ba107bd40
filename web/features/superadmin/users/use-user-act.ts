import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '#web/ui/toast.tsx'
import { usersKey } from './user-queries.ts'

interface UserAct<Draft> {
  readonly act: (draft: Draft) => Promise<unknown>
  /** The message when it is done. */
  readonly done: string
  readonly onDone: () => void
  readonly onError?: (error: Error) => void
}

/** A change of an account: then every list and page of accounts is loaded again. */
export function useUserAct<Draft = void>({ act, done, onDone, onError }: UserAct<Draft>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: done })
      onDone()
      return queryClient.invalidateQueries({ queryKey: usersKey })
    },
    ...(onError && { onError }),
  })
}
