import { LoginScreen } from '#web/features/auth/login-screen.tsx'

export function meta() {
  return [{ title: 'Sign in · Earshot' }, { name: 'description', content: 'Sign in to Earshot.' }]
}

export default LoginScreen
