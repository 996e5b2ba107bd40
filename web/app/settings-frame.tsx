import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { cn } from '../ui/class-names.ts'

/** The parts of the settings, in order. With one alone there is nothing to choose, and no bar. */
const parts: readonly { to: string; label: string }[] = [
  { to: '/dashboard/settings', label: 'Account' },
  { to: '/dashboard/settings/notifications', label: 'Notifications' },
  { to: '/dashboard/settings/storage', label: 'Storage' },
]

/** The page around every part of the settings. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="font-semibold text-2xl">Settings</h1>
      {parts.length > 1 && (
        <nav aria-label="Settings" className="mt-4 border-border border-b">
          <ul className="flex gap-1 overflow-x-auto">
            {parts.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end
                  className={({ isActive }) =>
                    cn(
                      '-mb-px flex h-9 items-center border-b-2 pointer-coarse:h-10 px-2.5 font-medium text-base',
                      isActive
                        ? 'border-accent text-foreground'
                        : 'border-transparent text-muted hover:text-foreground',
                    )
                  }
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-8">{children}</div>
    </div>
  )
}
