import { SubscriberScreen } from '#web/features/superadmin/subscriptions/subscriber-screen.tsx'

export function meta() {
  return [{ title: 'Subscription · Earshot' }]
}

export default SubscriberScreen
