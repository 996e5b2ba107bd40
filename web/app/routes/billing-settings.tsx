import { BillingScreen } from '#web/features/billing/billing-screen.tsx'
import { RoleGuard } from '../route-guard.tsx'
import { SettingsFrame } from '../settings-frame.tsx'

export function meta() {
  return [{ title: 'Billing · Earshot' }]
}

export default function BillingSettingsRoute() {
  return (
    <RoleGuard required="owner">
      <SettingsFrame section="billing">
        <BillingScreen />
      </SettingsFrame>
    </RoleGuard>
  )
}
