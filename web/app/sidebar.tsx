import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, LogOut } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { OrganizationSwitcher } from '../features/organizations/organization-switcher.tsx'
import { accountQuery } from '../lib/account-query.ts'
import { findOwnPicture } from '../lib/own-picture.ts'
import { formatUserName, signOut, useUser } from '../lib/session.tsx'
import { setTheme, type Theme, useTheme } from '../lib/theme.ts'
import { themeChoices } from '../lib/theme-choices.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cn } from '../ui/class-names.ts'
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '../ui/menu.tsx'
import { useDestinations } from './destinations.tsx'

/** The organisation with its switcher, the screens, and the account menu. */
export function Sidebar() {
  const mainDestinations = useDestinations().filter(({ menu }) => menu === 'main')
  const [root, setRoot] = useState<HTMLElement | null>(null)
  return (
    <div ref={setRoot} className="flex h-full flex-col gap-4 p-3">
      <div className="flex h-10 min-w-0 items-center gap-1 pr-10 md:pr-1">
        <OrganizationSwitcher container={root} />
        {/* On a phone it stands in the bar at the top. */}
        <div className="hidden md:block">
          <NotificationBell />
        </div>
      </div>
      <nav aria-label="Main" className="flex-1">
        <ul className="flex flex-col gap-0.5">
          {mainDestinations.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                // Every other screen lies below it.
                end={to === '/dashboard'}
                className={({ isActive }) =>
                  cn(
                    'flex h-10 items-center gap-2.5 rounded-md px-2 font-medium text-base transition-colors md:h-8',
                    isActive ? 'bg-accent-soft text-accent-text' : 'text-muted hover:bg-hover hover:text-foreground',
                  )
                }
              >
                <Icon aria-hidden="true" className="size-4" />
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <UserMenu container={root} />
    </div>
  )
}

/** The menu opens inside the sidebar, so that it belongs to a landmark and to the open drawer. */
function UserMenu({ container }: { container: HTMLElement | null }) {
  const user = useUser()
  const theme = useTheme()
  const accountDestinations = useDestinations().filter(({ menu }) => menu === 'account')
  const name = formatUserName(user)
  const { data: account } = useQuery(accountQuery(user.id))
  return (
    <Menu>
      <MenuTrigger className="flex w-full min-w-0 items-center gap-2.5 rounded-md p-2 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover">
        <Avatar name={name} src={findOwnPicture(account?.avatarUrl, window.location.origin)} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-base">{name}</span>
          {name !== user.email && (
            <span className="block truncate text-muted text-xs" title={user.email}>
              {user.email}
            </span>
          )}
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <span className="sr-only">Account menu</span>
      </MenuTrigger>
      <MenuContent
        container={container}
        side="top"
        align="start"
        className="w-[var(--radix-dropdown-menu-trigger-width)]"
      >
        {accountDestinations.map(({ to, label, icon: Icon }) => (
          <MenuItem key={to} asChild>
            <Link to={to}>
              <Icon aria-hidden="true" />
              {label}
            </Link>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuLabel id="theme-label">Theme</MenuLabel>
        <MenuRadioGroup
          aria-labelledby="theme-label"
          value={theme}
          onValueChange={(value) => setTheme(value as Theme /* the items below */)}
        >
          {themeChoices.map(({ theme: value, label, icon: Icon }) => (
            // Choosing keeps the menu open: one sees the effect and may choose again.
            <MenuRadioItem key={value} value={value} onSelect={(event) => event.preventDefault()}>
              <Icon aria-hidden="true" />
              {label}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem onSelect={() => signOut()}>
          <LogOut aria-hidden="true" />
          Sign out
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
