import { Trash2 } from 'lucide-react'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'

const keptDays = 30
const dayMs = 86_400_000

/** When an item was moved to the trash, when it is permanently deleted, and a button to restore it. */
export function TrashNote({ deletedAt, onRestore }: { deletedAt: string; onRestore: (() => void) | undefined }) {
  const endsAt = new Date(Date.parse(deletedAt) + keptDays * dayMs).toISOString()
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-danger-soft px-3 py-2 text-base text-danger-text">
      <Trash2 aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        Moved to the trash <RelativeTime iso={deletedAt} />. Permanently deleted on {formatDay(endsAt)}.
      </p>
      {onRestore && (
        <Button variant="secondary" size="sm" onClick={onRestore}>
          Restore
        </Button>
      )}
    </div>
  )
}
