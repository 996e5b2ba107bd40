import { ShieldAlert } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

const reasons: Readonly<Record<string, string>> = {
  honeypot: 'A field was filled in that people do not see.',
  too_fast: 'It was sent faster than anybody can write.',
  repeated: 'The same words came again and again.',
  links: 'It holds very many links.',
  link_in_name: 'There is a link in place of a name.',
  flood: 'Very much came from one address.',
  no_browser: 'It was not sent by a browser.',
  marked: 'Somebody of your team marked it.',
}

/** Why an item lies among the spam, and the way out. */
export function SpamNote({ reason, onRelease }: { reason: string; onRelease: (() => void) | undefined }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md bg-warning-soft px-3 py-2 text-base text-warning-text">
      <ShieldAlert aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        In spam. {Object.hasOwn(reasons, reason) ? reasons[reason] : `Reason: ${reason}`}
      </p>
      {onRelease && (
        <Button variant="secondary" size="sm" onClick={onRelease}>
          Not spam
        </Button>
      )}
    </div>
  )
}
