import { RegisterScreen } from '#web/features/auth/register-screen.tsx'

export function meta() {
  return [{ name: 'description', content: 'Create an organisation on Earshot and start collecting feedback.' }]
}

export default RegisterScreen
