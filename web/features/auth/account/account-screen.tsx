import { mayChooseAnalytics } from '#web/lib/analytics.ts'
import { useConfig } from '#web/lib/config.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { ConnectedApps } from '../apps/connected-apps.tsx'
import { AnalyticsChoice } from './analytics-choice.tsx'
import { AppearanceChoices } from './appearance-choices.tsx'
import { DateStyleForm } from './date-style-form.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Devices } from './devices.tsx'
import { EmailForm } from './email-form.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { PictureForm } from './picture-form.tsx'
import { SignInWays } from './sign-in-ways.tsx'

/** The settings of the signed-in person’s account. Settings of the organisation are elsewhere. */
export function AccountScreen() {
  const config = useConfig()
  return (
    <div className="divide-y divide-border">
      <SettingsSection title="Profile" description="How your team sees you.">
        <PictureForm />
        <NameForm />
      </SettingsSection>
      <SettingsSection title="Dates and times" description="How they are shown to you, on all your devices.">
        <DateStyleForm />
      </SettingsSection>
      <SettingsSection title="Appearance" description="How lists and colours look on this device.">
        <AppearanceChoices />
      </SettingsSection>
      {mayChooseAnalytics(config) && (
        <SettingsSection title="Analytics" description="What this browser reports about your use of the app.">
          <AnalyticsChoice />
        </SettingsSection>
      )}
      <SettingsSection title="Email" description="Used to sign in and to contact you.">
        <EmailForm />
      </SettingsSection>
      <SettingsSection title="Password" description="Changing it signs out your other devices and sends you an email.">
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title="Sign-in methods" description="Google is added automatically when you sign in with it.">
        <SignInWays />
      </SettingsSection>
      <SettingsSection
        title="Devices"
        description="Where you are signed in. If you don't recognise a device, sign it out and change your password."
      >
        <Devices />
      </SettingsSection>
      <SettingsSection
        title="Connected apps"
        description="Agents that read or change feedback in your name. Disconnect those that you no longer use."
      >
        <ConnectedApps />
      </SettingsSection>
      <SettingsSection title="Delete account" description="Permanently delete your account.">
        <DeleteAccount />
      </SettingsSection>
    </div>
  )
}
