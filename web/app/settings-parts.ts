/** The parts of the settings, in order, for their tabs and the command palette. */
export const settingsParts: readonly { to: string; label: string }[] = [
  { to: '/dashboard/settings', label: 'Account' },
  { to: '/dashboard/settings/notifications', label: 'Notifications' },
  { to: '/dashboard/settings/storage', label: 'Storage' },
]
