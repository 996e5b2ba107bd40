import { StorageScreen } from '#web/features/quotas/storage-screen.tsx'
import { SettingsFrame } from '../settings-frame.tsx'

export function meta() {
  return [{ title: 'Storage · Earshot' }]
}

export default function StorageSettingsRoute() {
  return (
    <SettingsFrame section="storage">
      <StorageScreen />
    </SettingsFrame>
  )
}
