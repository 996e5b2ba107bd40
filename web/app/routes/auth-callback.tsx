import { AuthCallbackScreen } from '#web/features/auth/auth-callback-screen.tsx'

export function meta() {
  return [{ title: 'Signing in · Earshot' }, { name: 'robots', content: 'noindex' }]
}

export default AuthCallbackScreen
