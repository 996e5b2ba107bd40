import { useOrganization } from '../lib/organization.tsx'

interface SettingsPart {
  readonly to: string
  readonly label: string
  readonly isForOwners?: boolean
}

const settingsParts: readonly SettingsPart[] = [
  { to: '/dashboard/settings', label: 'Account' },
  { to: '/dashboard/settings/notifications', label: 'Notifications' },
  { to: '/dashboard/settings/storage', label: 'Storage' },
  { to: '/dashboard/settings/billing', label: 'Billing', isForOwners: true },
]

/** The parts of the settings that the person may open, in order, for their tabs and the command palette. */
export function useSettingsParts(): readonly SettingsPart[] {
  const { organization, isSuperadmin } = useOrganization()
  const isOwner = isSuperadmin || organization.role === 'owner'
  return settingsParts.filter(({ isForOwners = false }) => isOwner || !isForOwners)
}
