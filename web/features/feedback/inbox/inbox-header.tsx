import { Command, Keyboard } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { openWindow } from '#web/lib/commands.ts'
import { Button } from '#web/ui/button.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import type { Filters } from '../filters/feedback-filters.ts'
import type { LiveState } from './use-live-feedback.ts'
import { ViewsMenu } from './views-menu.tsx'

interface HeaderProps {
  filters: Filters
  onChange: (filters: Filters) => void
  liveState: LiveState
  /** Further menus, at the end. */
  children?: ReactNode
}

const liveWords: Readonly<Record<LiveState, string>> = {
  live: '',
  reconnecting: 'Reconnecting…',
  too_many_tabs: 'Not live: too many tabs open',
}

/** Which view is shown, whether it is current, and the ways to everything else. */
export function InboxHeader({ filters, onChange, liveState, children }: HeaderProps) {
  const isOnline = useIsOnline()
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 px-3">
      <ViewsMenu filters={filters} onChange={onChange} />
      <output className="flex min-w-0 items-center gap-1.5 text-muted text-sm">
        {!(liveState === 'live' && isOnline) && (
          <>
            <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-warning-text" />
            <span className="truncate">{isOnline ? liveWords[liveState] : 'Offline'}</span>
          </>
        )}
      </output>
      <div className="ml-auto flex shrink-0 items-center">
        {children}
        <Tooltip content="Search or run a command (Ctrl K)" side="bottom">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Commands"
            className="text-muted"
            onClick={() => openWindow('palette')}
          >
            <Command aria-hidden="true" />
          </Button>
        </Tooltip>
        <Tooltip content="Keyboard shortcuts (?)" side="bottom">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Keyboard shortcuts"
            className="text-muted pointer-coarse:hidden"
            onClick={() => openWindow('help')}
          >
            <Keyboard aria-hidden="true" />
          </Button>
        </Tooltip>
      </div>
    </header>
  )
}

function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
    () => true,
  )
}
