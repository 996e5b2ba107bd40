import { Dialog } from '#web/ui/dialog.tsx'
import { Kbd } from '#web/ui/kbd.tsx'

const shortcuts = [
  { keys: ['j', '↓'], text: 'Next item' },
  { keys: ['k', '↑'], text: 'Previous item' },
  { keys: ['o', 'Enter'], text: 'Open item' },
  { keys: ['Esc'], text: 'Close item' },
  { keys: ['s'], text: 'Change status' },
  { keys: ['p'], text: 'Change priority' },
  { keys: ['1', '–', '8'], text: 'Choose in a menu' },
  { keys: ['/'], text: 'Search' },
  { keys: ['?'], text: 'Show this help' },
] as const

/** The inbox's keys. */
export function ShortcutHelp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" className="sm:max-w-sm">
      <dl className="divide-y divide-border">
        {shortcuts.map(({ keys, text }) => (
          <div key={text} className="flex min-h-10 items-center justify-between gap-4 text-base">
            <dt>{text}</dt>
            <dd className="flex items-center gap-1">
              {keys.map((key) =>
                key === '–' ? (
                  <span key={key} className="text-muted">
                    –
                  </span>
                ) : (
                  <Kbd key={key}>{key}</Kbd>
                ),
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
