import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { emptyTrash } from '#contract/trash.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems } from '#web/shared/format-count.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { countsQuery } from '../feedback-queries.ts'
import { BulkProgressBar } from './bulk-progress-bar.tsx'

const pollMs = 1000
const wholeTrash = { location: 'trash', stage: 'all', project: [] } as const

/** Empties the trash. A job removes items that the server does not remove at once: `rest` of them, `count` are left. */
function useEmptyTrash(organizationId: string) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  /** What a job still removes, of how many. */
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
        ? { title: 'The trash is already empty' }
        : { title: `${formatItems(removed)} permanently deleted`, tone: 'success', durationMs: toastDurationsMs.long },
    )
  }
  const emptying = useMutation({
    networkMode: 'always',
    // The number in the question.
    mutationFn: (_total: number) => call(emptyTrash, { params: { organizationId }, body: {} }),
    onSuccess: ({ removed, isComplete }, total) => {
      setAsking(false)
      if (isComplete) return finish(removed)
      void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
      setRest({ total: Math.max(total, removed) })
    },
  })
  // Items deleted from now on stay: the job is done when the trash is empty, or its count no longer falls.
  const isDone = useSettled(rest ? count : undefined)
  useEffect(() => {
    if (!rest || !isDone) return
    setRest(undefined)
    finish(rest.total - count)
  })

  return { count, rest, isAsking, setAsking, emptying }
}

/** Above the trash: how long it is kept, and the way to empty it at once, with how far that is. */
export function TrashBar({ organizationId }: { organizationId: string }) {
  const { can } = useOrganization()
  const { count, rest, isAsking, setAsking, emptying } = useEmptyTrash(organizationId)
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-border border-b bg-sunken py-1.5 pr-2 pl-4">
      <p className="min-w-0 text-muted text-sm">Items here are permanently deleted after 30 days.</p>
      {count > 0 && !rest && can('delete_feedback') && (
        <Button variant="ghost" size="sm" className="text-danger-text" onClick={() => setAsking(true)}>
          Empty trash
        </Button>
      )}
      {rest && (
        <div className="w-full pb-1">
          <BulkProgressBar
            progress={{ label: 'Deleting permanently', processed: Math.max(0, rest.total - count), total: rest.total }}
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
          <p className="font-medium">Permanently deleted for everyone:</p>
          <ul className="mt-1 list-disc pl-5">
            <li>{formatItems(count)} in the trash of all projects, including items not listed here</li>
            <li>items merged into {count === 1 ? 'it' : 'them'}</li>
            <li>{count === 1 ? 'its' : 'their'} notes, replies, history and files</li>
          </ul>
          <p className="mt-2">You can’t undo this.</p>
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
            Permanently delete {formatItems(count)}
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
