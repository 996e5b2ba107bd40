import { useParams } from 'react-router'
import { AcceptInvitationScreen } from '#web/features/auth/accept-invitation-screen.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default function AcceptInvitationRoute() {
  const { token = '' } = useParams()
  return <AcceptInvitationScreen token={token} />
}
