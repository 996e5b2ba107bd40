import { AccountScreen } from '#web/features/auth/account/account-screen.tsx'
import { SettingsFrame } from '../settings-frame.tsx'

export function meta() {
  return [{ title: 'Settings · Earshot' }]
}

export default function SettingsRoute() {
  return (
    <SettingsFrame section="account">
      <AccountScreen />
    </SettingsFrame>
  )
}
