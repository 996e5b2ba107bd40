import { ForgotPasswordScreen } from '#web/features/auth/forgot-password-screen.tsx'

export function meta() {
  return [{ name: 'description', content: 'Choose a new password for Earshot.' }]
}

export default ForgotPasswordScreen
