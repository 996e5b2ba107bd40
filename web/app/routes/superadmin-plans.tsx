import { PlansScreen } from '#web/features/superadmin/plans/plans-screen.tsx'

export function meta() {
  return [{ title: 'Plans · Earshot' }]
}

export default PlansScreen
