import { useParams } from 'react-router'
import { UnsubscribeScreen } from '#web/features/notifications/unsubscribe-screen.tsx'

export function meta() {
  return [{ title: 'Unsubscribe · Earshot' }, { name: 'robots', content: 'noindex' }]
}

export default function UnsubscribeRoute() {
  const { token = '' } = useParams()
  return <UnsubscribeScreen token={token} />
}
