import { NavLink, useLocation } from 'react-router'
import { cn } from './class-names.ts'
import { useCurrentInView } from './use-current-in-view.ts'

interface Tab {
  readonly to: string
  readonly label: string
  /** It stays current on screens whose address begins with its own. */
  readonly hasScreensBelow?: boolean
}

/** Tabs that are pages with addresses of their own; {@link TabsList} has those of one page. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { pathname } = useLocation()
  const row = useCurrentInView<HTMLUListElement>(pathname)
  return (
    <nav aria-label={label} className="mt-4 border-border border-b">
      <ul ref={row} className="fade-sideways flex gap-1 overflow-x-auto [scrollbar-width:none]">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <NavLink
              to={tab.to}
              end={!tab.hasScreensBelow}
              className={({ isActive }) =>
                cn(
                  '-mb-px flex h-9 items-center whitespace-nowrap border-b-2 pointer-coarse:h-10 px-2.5 font-medium text-base',
                  'focus-visible:outline-offset-[-2px]',
                  isActive ? 'border-accent text-foreground' : 'border-transparent text-muted hover:text-foreground',
                )
              }
            >
              {tab.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
