import { ResetPasswordScreen } from '#web/features/auth/reset-password-screen.tsx'

export function meta() {
  return [{ name: 'robots', content: 'noindex' }]
}

export default ResetPasswordScreen
