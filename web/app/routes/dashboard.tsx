import { DashboardScreen } from '../dashboard/dashboard-screen.tsx'

export function meta() {
  return [{ title: 'Dashboard · Earshot' }]
}

export default DashboardScreen
