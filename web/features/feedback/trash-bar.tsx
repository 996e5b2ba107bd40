import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { emptyTrash } from '#contract/trash.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { BulkProgressBar } from './bulk-bar.tsx'
import { countsQuery, feedbackKey } from './feedback-queries.ts'
import { formatItems } from './use-bulk-change.ts'

const pollMs = 1000
const wholeTrash = { place: 'trash', project: [] } as const

/** Above the trash: how long it is kept, and the way to empty it at once, with how far that is. */
export function TrashBar({ organizationId }: { organizationId: string }) {
  const { can } = useOrganization()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  /** What a job goes on to remove, of how many. */
  const [rest, setRest] = useState<{ total: number }>()
  const { data: counts } = useQuery({
    ...countsQuery(organizationId, wholeTrash),
    refetchInterval: rest ? pollMs : false,
  })
  const count = counts?.inTrash ?? 0

  const finish = (removed: number) => {
    void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
    toast(
      removed === 0
        ? { title: 'The trash was empty already' }
        : { title: `${formatItems(removed)} gone for good`, tone: 'success', durationMs: toastDurationsMs.long },
    )
  }
  const emptying = useMutation({
    networkMode: 'always',
    // How much the person was told that it is.
    mutationFn: (_total: number) => call(emptyTrash, { params: { organizationId }, body: {} }),
    onSuccess: ({ removed, isComplete }, total) => {
      setAsking(false)
      if (isComplete) return finish(removed)
      void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
      setRest({ total: Math.max(total, removed) })
    },
  })
  // What is thrown away from now on stays: the job is done when nothing lies there or no less than a moment ago.
  const isDone = useSettled(rest ? count : undefined)
  useEffect(() => {
    if (!rest || !isDone) return
    setRest(undefined)
    finish(rest.total - count)
  })

  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-border border-b bg-sunken py-1.5 pr-2 pl-4">
      <p className="min-w-0 text-muted text-sm">What lies here is gone for good after 30 days.</p>
      {count > 0 && !rest && can('delete_feedback') && (
        <Button variant="ghost" size="sm" className="text-danger-text" onClick={() => setAsking(true)}>
          Empty trash
        </Button>
      )}
      {rest && (
        <div className="w-full pb-1">
          <BulkProgressBar
            progress={{ label: 'deleting for good', processed: Math.max(0, rest.total - count), total: rest.total }}
          />
        </div>
      )}
      <Dialog
        open={isAsking}
        onOpenChange={(open) => {
          if (!emptying.isPending) setAsking(open)
        }}
        title="Empty the trash?"
      >
        <div className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
          <p className="font-medium">Gone for good, for everybody:</p>
          <ul className="mt-1 list-disc pl-5">
            <li>{formatItems(count)} in the trash, of all projects, whatever the list shows</li>
            <li>what was merged into {count === 1 ? 'it' : 'them'}</li>
            <li>notes, replies, history and files that belong to {count === 1 ? 'it' : 'them'}</li>
          </ul>
          <p className="mt-2">There is no undo.</p>
        </div>
        {emptying.error && (
          <p role="alert" className="mt-3 text-base text-danger-text">
            {emptying.error.message}
          </p>
        )}
        <div className="mt-5 flex justify-end gap-2">
          <Button variant="secondary" disabled={emptying.isPending} onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button variant="danger" loading={emptying.isPending} onClick={() => emptying.mutate(count)}>
            Delete {formatItems(count)} for good
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

const settledAfterMs = 60_000

/** Whether a number that falls has come to rest: at 0, or somewhere for a while. Undefined: nothing falls. */
function useSettled(value: number | undefined): boolean {
  const [settledAt, setSettledAt] = useState<number>()
  useEffect(() => {
    if (value === undefined || value === 0) return
    const timer = setTimeout(() => setSettledAt(value), settledAfterMs)
    return () => clearTimeout(timer)
  }, [value])
  return value !== undefined && (value === 0 || value === settledAt)
}
