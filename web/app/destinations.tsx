import {
  BookOpen,
  Building2,
  ChartNoAxesCombined,
  FolderKanban,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Plug,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
} from 'lucide-react'
import type { Permission } from '#contract/permissions.ts'
import { useOrganization } from '../lib/organization.tsx'

interface Destination {
  to: string
  label: string
  icon: LucideIcon
  /** Pressed after `g`, it leads there. */
  letter: string
  /** Where the sidebar, and on a phone the drawer, lists it: among the screens, or in the account menu. */
  menu: 'main' | 'account'
  /** Shown only to those who hold it. */
  permission?: Permission
  /** Shown only to them. */
  isForSuperadmins?: true
}

/** The dashboard's screens, for sidebar, drawer, command palette, shortcuts and their help. A new screen gets a line here. */
export const destinations: readonly Destination[] = [
  { to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard, letter: 'd', menu: 'main' },
  { to: '/dashboard/projects', label: 'Projects', icon: FolderKanban, letter: 'p', menu: 'main' },
  { to: '/dashboard/feedback', label: 'Feedback', icon: Inbox, letter: 'f', menu: 'main' },
  { to: '/dashboard/analytics', label: 'Analytics', icon: ChartNoAxesCombined, letter: 'a', menu: 'main' },
  { to: '/dashboard/visitors', label: 'Visitors', icon: Users, letter: 'v', menu: 'main' },
  { to: '/dashboard/integrations', label: 'Integrations', icon: Plug, letter: 'i', menu: 'main' },
  { to: '/dashboard/organization', label: 'Organisation', icon: Building2, letter: 'o', menu: 'main' },
  {
    to: '/dashboard/superadmin',
    label: 'Superadmin',
    icon: ShieldCheck,
    letter: 'x',
    menu: 'main',
    isForSuperadmins: true,
  },
  { to: '/dashboard/documentation', label: 'Documentation', icon: BookOpen, letter: 'h', menu: 'account' },
  { to: '/dashboard/contact', label: 'Contact', icon: Mail, letter: 'c', menu: 'account' },
  { to: '/dashboard/settings', label: 'Settings', icon: Settings, letter: 's', menu: 'account' },
  {
    to: '/dashboard/organization/audit',
    label: 'Audit log',
    icon: ScrollText,
    letter: 'l',
    menu: 'account',
    permission: 'manage_organization',
  },
]

/** The screens that the signed-in person may open. */
export function useDestinations(): readonly Destination[] {
  const { can, isSuperadmin } = useOrganization()
  return destinations.filter(
    ({ permission, isForSuperadmins = false }) =>
      (permission === undefined || can(permission)) && (!isForSuperadmins || isSuperadmin),
  )
}
