import { RevenueScreen } from '#web/features/superadmin/revenue/revenue-screen.tsx'

export function meta() {
  return [{ title: 'Revenue · Earshot' }]
}

export default RevenueScreen
