import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Everything about the own account; what belongs to the organisation has sections of its own. */
export function AccountScreen() {
  return (
    <div className="divide-y divide-border">
      <SettingsSection title="Profile" description="How others see you.">
        <NameForm />
      </SettingsSection>
      <SettingsSection title="Password" description="Changing it signs out your other devices and tells you by mail.">
        <PasswordForm />
      </SettingsSection>
    </div>
  )
}
