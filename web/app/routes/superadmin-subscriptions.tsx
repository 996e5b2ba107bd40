import { SubscribersScreen } from '#web/features/superadmin/subscriptions/subscribers-screen.tsx'

export function meta() {
  return [{ title: 'Subscriptions · Earshot' }]
}

export default SubscribersScreen
