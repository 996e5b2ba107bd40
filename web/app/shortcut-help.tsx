import { useSyncExternalStore } from 'react'
import { useScreenOffer } from '../lib/commands.ts'
import { areShortcutsOn, followShortcuts, type ShortcutGroup, setShortcutsOn } from '../lib/shortcuts.ts'
import { cn } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { SwitchRow } from '../ui/switch.tsx'
import { useDestinations } from './destinations.tsx'

function useGeneralShortcuts(): ShortcutGroup {
  const destinations = useDestinations()
  return {
    title: 'Everywhere',
    shortcuts: [
      { keys: [/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl', 'K'], text: 'Search or run a command' },
      ...destinations.map(({ letter, label }) => ({ keys: ['g', letter], text: `Go to ${label.toLowerCase()}` })),
      { keys: ['?'], text: 'Show this help' },
    ],
  }
}

/** All keys of the screen in view and of the app, and their switch. */
export default function ShortcutHelp({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const { shortcuts } = useScreenOffer()
  const areOn = useSyncExternalStore(followShortcuts, areShortcutsOn, () => true)
  const general = useGeneralShortcuts()
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      className={shortcuts.length > 0 ? 'sm:max-w-2xl' : 'sm:max-w-sm'}
    >
      <SwitchRow
        label="Single-key shortcuts"
        hint="Off: only Escape, Enter, arrow keys and shortcuts with Ctrl or Cmd work."
        checked={areOn}
        onChange={setShortcutsOn}
      />
      <div className={cn('mt-4 gap-x-10', shortcuts.length > 0 && 'sm:columns-2')}>
        {[...shortcuts, general].map((group) => (
          <section key={group.title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-medium text-muted text-sm">{group.title}</h3>
            <dl>
              {group.shortcuts.map(({ keys, text }) => (
                <div key={text} className="flex min-h-8 items-center justify-between gap-4 text-base">
                  <dt>{text}</dt>
                  <dd className="flex shrink-0 items-center gap-1">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
