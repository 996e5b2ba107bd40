import { ConsentScreen } from '#web/features/auth/apps/consent-screen.tsx'
import { RouteGuard } from '../route-guard.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default function AuthorizeAppRoute() {
  return (
    <RouteGuard>
      <ConsentScreen />
    </RouteGuard>
  )
}
