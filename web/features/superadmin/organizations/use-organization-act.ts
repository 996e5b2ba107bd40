import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '#web/ui/toast.tsx'
import { organizationsKey } from './organization-queries.ts'

interface OrganizationAct<Draft> {
  readonly act: (draft: Draft) => Promise<unknown>
  /** The message when it is done. */
  readonly done: string
  readonly onDone: () => void
  readonly onError?: (error: Error) => void
}

/** A change of an organisation: then every list and page of organisations is loaded again. */
export function useOrganizationAct<Draft = void>({ act, done, onDone, onError }: OrganizationAct<Draft>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: done })
      onDone()
      return queryClient.invalidateQueries({ queryKey: organizationsKey })
    },
    ...(onError && { onError }),
  })
}
