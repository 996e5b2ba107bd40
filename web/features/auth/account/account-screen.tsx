import { useEffect } from 'react'
import { captureEvent } from '#web/lib/analytics.ts'
import { DeleteAccount } from './delete-account.tsx'
import { Devices } from './devices.tsx'
import { EmailForm } from './email-form.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { PictureForm } from './picture-form.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SignInWays } from './sign-in-ways.tsx'

/** Everything about the own account; what belongs to the organisation has parts of its own. */
export function AccountScreen() {
  useEffect(() => captureEvent('settings_viewed', { section: 'account' }), [])
  return (
    <div className="divide-y divide-border">
      <SettingsSection title="Profile" description="How others see you.">
        <PictureForm />
        <NameForm />
      </SettingsSection>
      <SettingsSection title="Email" description="Where we reach you, and what you sign in with.">
        <EmailForm />
      </SettingsSection>
      <SettingsSection title="Password" description="Changing it signs out your other devices and tells you by mail.">
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title="Ways to sign in" description="Signing in with Google adds it here by itself.">
        <SignInWays />
      </SettingsSection>
      <SettingsSection
        title="Devices"
        description="Where you are signed in. Sign out what you don't recognise, then change your password."
      >
        <Devices />
      </SettingsSection>
      <SettingsSection title="Delete account" description="The end of it, after a question.">
        <DeleteAccount />
      </SettingsSection>
    </div>
  )
}
