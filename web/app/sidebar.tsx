import { useQuery } from '@tanstack/react-query'
import {
  ChartColumn,
  ChevronsUpDown,
  FolderKanban,
  Inbox,
  LayoutDashboard,
  LogOut,
  Monitor,
  Moon,
  Settings,
  Sun,
  Users,
} from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router'
import { NoticeBell } from '../features/notifications/notice-bell.tsx'
import { accountQuery } from '../lib/account-query.ts'
import { useOrganization } from '../lib/organization.tsx'
import { findOwnPicture } from '../lib/own-picture.ts'
import { formatUserName, signOut, useUser } from '../lib/session.tsx'
import { setTheme, type Theme, themes, useTheme } from '../lib/theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cn } from '../ui/class-names.ts'
import { LogoMark } from '../ui/logo.tsx'
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

const destinations = [
  { to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard, end: true },
  { to: '/dashboard/projects', label: 'Projects', icon: FolderKanban, end: false },
  { to: '/dashboard/feedback', label: 'Feedback', icon: Inbox, end: false },
  { to: '/dashboard/analytics', label: 'Analytics', icon: ChartColumn, end: false },
  { to: '/dashboard/visitors', label: 'Visitors', icon: Users, end: false },
]

const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }
const themeIcons = { system: Monitor, light: Sun, dark: Moon }

/** Where one can go, whose organisation this is, and who one is. */
export function Sidebar() {
  const { organization } = useOrganization()
  const [root, setRoot] = useState<HTMLElement | null>(null)
  return (
    <div ref={setRoot} className="flex h-full flex-col gap-4 p-3">
      <div className="flex h-10 min-w-0 items-center gap-2.5 px-2 pr-10 md:pr-2">
        <LogoMark className="size-6 shrink-0" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold text-base text-foreground" title={organization.name}>
            {organization.name}
          </p>
        </div>
        {/* On a phone it stands in the bar at the top. */}
        <div className="hidden md:block">
          <NoticeBell />
        </div>
      </div>
      <nav aria-label="Main" className="flex-1">
        <ul className="flex flex-col gap-0.5">
          {destinations.map(({ to, label, icon: Icon, end }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={end}
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
  const name = formatUserName(user)
  const { data: account } = useQuery(accountQuery(user.id))
  return (
    <Menu modal={false}>
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
        <MenuItem asChild>
          <Link to="/dashboard/settings">
            <Settings aria-hidden="true" />
            Settings
          </Link>
        </MenuItem>
        <MenuSeparator />
        <MenuLabel id="theme-label">Theme</MenuLabel>
        <MenuRadioGroup aria-labelledby="theme-label" value={theme} onValueChange={(value) => setTheme(value as Theme)}>
          {themes.map((value) => {
            const Icon = themeIcons[value]
            return (
              // Choosing keeps the menu open: one sees the effect and may choose again.
              <MenuRadioItem key={value} value={value} onSelect={(event) => event.preventDefault()}>
                <Icon aria-hidden="true" />
                {themeNames[value]}
              </MenuRadioItem>
            )
          })}
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
