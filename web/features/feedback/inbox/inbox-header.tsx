import { Command, Keyboard } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { openWindow } from '#web/lib/commands.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import type { Filters } from '../filters/feedback-filters.ts'
import { HeaderButton } from './header-button.tsx'
import type { LiveState } from './use-live-feedback.ts'
import { ViewsMenu } from './views-menu.tsx'

interface HeaderProps {
  filters: Filters
  onChange: (filters: Filters) => void
  liveState: LiveState
  /** Ways to the other parts of the inbox. */
  tabs: ReactNode
  /** Further menus, at the end. */
  children?: ReactNode
}

const liveWords: Readonly<Record<LiveState, string>> = {
  live: '',
  reconnecting: 'Reconnecting…',
  too_many_tabs: 'Not live: too many tabs open',
}

/** Which view is shown, whether it is current, and the ways to everything else. */
export function InboxHeader({ filters, onChange, liveState, tabs, children }: HeaderProps) {
  const isOnline = useIsOnline()
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-2 px-3 lg:flex-nowrap lg:gap-x-4">
      <div className="flex h-14 min-w-0 items-center">
        <ViewsMenu filters={filters} onChange={onChange} />
      </div>
      {/* One line with the rest where there is room, a line of its own below it elsewhere. */}
      <div className="min-w-0 max-lg:order-last max-lg:w-full">{tabs}</div>
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
          <HeaderButton icon={<Command aria-hidden="true" />} label="Commands" onClick={() => openWindow('palette')} />
        </Tooltip>
        <span className="pointer-coarse:hidden">
          <Tooltip content="Keyboard shortcuts (?)" side="bottom">
            <HeaderButton icon={<Keyboard aria-hidden="true" />} label="Shortcuts" onClick={() => openWindow('help')} />
          </Tooltip>
        </span>
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
