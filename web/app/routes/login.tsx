import { LoginScreen } from '#web/features/auth/login-screen.tsx'

export function meta() {
  return [{ name: 'description', content: 'Sign in to Earshot.' }]
}

export default LoginScreen
