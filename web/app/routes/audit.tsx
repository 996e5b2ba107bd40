import AuditScreen from '#web/features/audit/audit-screen.tsx'
import { RoleGuard } from '../route-guard.tsx'

export function meta() {
  return [{ title: 'Audit log · Earshot' }]
}

export default function Audit() {
  return (
    <RoleGuard required="owner">
      <AuditScreen />
    </RoleGuard>
  )
}
