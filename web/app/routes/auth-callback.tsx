import { AuthCallbackScreen } from '#web/features/auth/auth-callback-screen.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default AuthCallbackScreen
