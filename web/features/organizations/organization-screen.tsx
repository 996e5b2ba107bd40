import { type ReactNode, useEffect } from 'react'
import { captureEvent } from '#web/lib/analytics.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { LeaveOrganization } from './leave-organization.tsx'
import { LogoForm } from './logo-form.tsx'
import { ProfileFacts, ProfileForm } from './profile-form.tsx'
import { TeamSection } from './team-section.tsx'

/**
 * The organisation: name, slug and logo, members, invitations, leaving.
 *
 * @param danger further sections at the end, for what can hardly be undone
 */
export function OrganizationScreen({ danger }: { danger?: ReactNode }) {
  const { can } = useOrganization()
  const mayManage = can('manage_organization')
  useEffect(() => captureEvent('settings_viewed', { section: 'organization' }), [])
  return (
    <div className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="font-semibold text-2xl">Organisation</h1>
      <div className="mt-8 divide-y divide-border">
        <SettingsSection
          title="General"
          description={
            mayManage ? 'How your team and its guests see the organisation.' : 'Only owners can change these.'
          }
        >
          {mayManage ? (
            <>
              <LogoForm />
              <ProfileForm />
            </>
          ) : (
            <ProfileFacts />
          )}
        </SettingsSection>
        <SettingsSection
          title="Team"
          description={
            can('manage_team')
              ? 'Owners manage the organisation. Admins, members and viewers have the same permissions: feedback, exports, analytics and billing.'
              : 'The people who work here. Owners invite and remove members.'
          }
        >
          <TeamSection />
        </SettingsSection>
        <SettingsSection title="Leave" description="End your own membership.">
          <LeaveOrganization />
        </SettingsSection>
        {danger}
      </div>
    </div>
  )
}
