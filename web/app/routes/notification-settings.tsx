import { NotificationSettings } from '#web/features/notifications/notification-settings.tsx'
import { SettingsFrame } from '../settings-frame.tsx'

export function meta() {
  return [{ title: 'Notifications · Earshot' }]
}

export default function NotificationSettingsRoute() {
  return (
    <SettingsFrame section="notifications">
      <NotificationSettings />
    </SettingsFrame>
  )
}
