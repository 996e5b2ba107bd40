import {
  ChartNoAxesCombined,
  FolderKanban,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  Settings,
  Users,
} from 'lucide-react'

interface Destination {
  to: string
  label: string
  icon: LucideIcon
  /** Pressed after `g`, it leads there. */
  letter: string
  /** Where the sidebar, and on a phone the drawer, lists it: among the screens, or in the account menu. */
  menu: 'main' | 'account'
}

/** The dashboard's screens, for sidebar, drawer, command palette, shortcuts and their help. A new screen gets a line here. */
export const destinations: readonly Destination[] = [
  { to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard, letter: 'd', menu: 'main' },
  { to: '/dashboard/projects', label: 'Projects', icon: FolderKanban, letter: 'p', menu: 'main' },
  { to: '/dashboard/feedback', label: 'Feedback', icon: Inbox, letter: 'f', menu: 'main' },
  { to: '/dashboard/analytics', label: 'Analytics', icon: ChartNoAxesCombined, letter: 'a', menu: 'main' },
  { to: '/dashboard/visitors', label: 'Visitors', icon: Users, letter: 'v', menu: 'main' },
  { to: '/dashboard/settings', label: 'Settings', icon: Settings, letter: 's', menu: 'account' },
]
