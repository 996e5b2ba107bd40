import { CouponsScreen } from '#web/features/superadmin/coupons/coupons-screen.tsx'

export function meta() {
  return [{ title: 'Coupons · Earshot' }]
}

export default CouponsScreen
