import { ChartNoAxesCombined, FolderKanban, Inbox, LayoutDashboard, type LucideIcon, Settings } from 'lucide-react'

interface Destination {
  to: string
  label: string
  icon: LucideIcon
  /** Pressed after `g`, it leads there. */
  letter: string
}

/** The dashboard's screens. */
export const destinations: readonly Destination[] = [
  { to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard, letter: 'd' },
  { to: '/dashboard/feedback', label: 'Feedback', icon: Inbox, letter: 'f' },
  { to: '/dashboard/projects', label: 'Projects', icon: FolderKanban, letter: 'p' },
  { to: '/dashboard/analytics', label: 'Analytics', icon: ChartNoAxesCombined, letter: 'a' },
  { to: '/dashboard/settings', label: 'Settings', icon: Settings, letter: 's' },
]
