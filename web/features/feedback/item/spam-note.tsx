import { ShieldAlert } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

const reasons: Readonly<Record<string, string>> = {
  honeypot: 'a hidden field was filled (likely a bot).',
  too_fast: 'sent faster than a person can type.',
  no_guard: 'not sent by the widget.',
  repeated: 'the same text was sent many times.',
  links: 'the message contains too many links.',
  link_in_name: 'the name contains a link.',
  flood: 'too many submissions from one address.',
  no_browser: 'not sent by a browser.',
  marked: 'marked by a teammate.',
}

/** Why an item is in spam, and a button to move it out. */
export function SpamNote({ reason, onRelease }: { reason: string; onRelease: (() => void) | undefined }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md bg-warning-soft px-3 py-2 text-base text-warning-text">
      <ShieldAlert aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">Spam: {Object.hasOwn(reasons, reason) ? reasons[reason] : `${reason}.`}</p>
      {onRelease && (
        <Button variant="secondary" size="sm" onClick={onRelease}>
          Not spam
        </Button>
      )}
    </div>
  )
}
