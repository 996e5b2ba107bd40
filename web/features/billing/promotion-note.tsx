import { Ticket } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'

interface PromotionNoteProps {
  code: string
  /** A running plan: the code is applied to it in the settings. */
  isSubscribed: boolean
  onRemove: () => void
}

/** The promotion code that someone brought along, and what becomes of it. */
export function PromotionNote({ code, isSubscribed, onRemove }: PromotionNoteProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-border bg-surface px-5 py-3 text-base shadow-sm">
      <Ticket aria-hidden="true" className="size-4 shrink-0 text-accent-text" />
      <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        Promotion code <bdi className="font-medium">{code}</bdi>{' '}
        {isSubscribed ? 'isn’t applied to your plan yet.' : 'is applied when you pay.'}
      </p>
      {isSubscribed ? (
        <Button asChild variant="secondary" size="sm">
          <Link to={`/dashboard/settings/billing?${new URLSearchParams({ code })}`}>Apply to your plan</Link>
        </Button>
      ) : (
        <Button variant="secondary" size="sm" onClick={onRemove}>
          Remove code
        </Button>
      )}
    </div>
  )
}
