import { ContactScreen } from '#web/features/contact/contact-screen.tsx'

export function meta() {
  return [{ title: 'Contact · Earshot' }]
}

export default ContactScreen
