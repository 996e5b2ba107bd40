import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getMaintenance, type MaintenanceState } from '#contract/maintenance.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'

const queryKey = ['superadmin', 'maintenance']
/** Jobs that still run are watched while it is on. */
const refetchMs = 5_000

export const maintenanceQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => call(getMaintenance, { signal }),
  refetchInterval: ({ state }) => (state.data?.readOnly ? refetchMs : false),
  refetchOnMount: 'always',
  networkMode: 'always',
})

interface SwitchAct<Draft> {
  readonly act: (draft: Draft) => Promise<MaintenanceState>
  /** The message when it is done. */
  readonly done: string
  readonly onDone: () => void
  readonly onError?: (error: Error) => void
}

/** A change of read-only mode: its answer is the state that the screen shows. */
export function useSwitch<Draft = void>({ act, done, onDone, onError }: SwitchAct<Draft>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSuccess: (state) => {
      queryClient.setQueryData(queryKey, state)
      void queryClient.invalidateQueries({ queryKey: ['read-only'] })
      toast({ title: done })
      onDone()
    },
    ...(onError && { onError }),
  })
}
