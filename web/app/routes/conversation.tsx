import { useParams } from 'react-router'
import { ConversationScreen } from '#web/features/conversation/conversation-screen.tsx'

export function meta() {
  return [
    { title: 'Your conversation' },
    { name: 'robots', content: 'noindex, nofollow' },
    { name: 'referrer', content: 'no-referrer' },
  ]
}

/** The address is the key: it is no referrer of later pages, and no search engine keeps it. */
export function headers() {
  return { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }
}

export default function ConversationRoute() {
  const { token = '' } = useParams()
  return <ConversationScreen token={token} />
}
