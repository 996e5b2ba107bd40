import { DebugAuthScreen } from '#web/features/auth/debug/debug-auth-screen.tsx'

export function meta() {
  return [{ title: 'Debug auth · Earshot' }]
}

export default DebugAuthScreen
