import { RevenuePartsScreen } from '#web/features/superadmin/revenue/revenue-parts-screen.tsx'

export function meta() {
  return [{ title: 'Revenue · Earshot' }]
}

export default RevenuePartsScreen
