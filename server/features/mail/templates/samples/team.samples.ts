import { renderFilesFull } from '../../files-full.mail.ts'
import { renderIntegrationDisabled, renderTokenEnding } from '../../integration-notice.mail.ts'
import { renderOrganizationClosed } from '../../organization-closed.mail.ts'
import { renderOrganizationInvitation } from '../../organization-invitation.mail.ts'
import { renderOrganizationSuspended, renderSuspensionLifted } from '../../organization-suspended.mail.ts'
import { type Sample, sampleDay, sampleTime } from './sample.ts'

const organizationName = 'Engines & Co'

export const frame = (appUrl: string) => ({
  appUrl,
  organizationName,
  unsubscribeUrl: `${appUrl}/unsubscribe/sample`,
})

const invitation = (appUrl: string) => ({
  ...{ appUrl, organizationName, to: 'grace@example.com', link: `${appUrl}/invitations/sample`, role: 'admin' },
  ...{ inviterName: 'Ada Lovelace', validMinutes: 7 * 1440 },
})
const integration = { integrationId: '0190c0de-0000-7000-8000-000000000001', name: 'Team board', service: 'Jira' }

export const teamSamples = {
  organization_invitation: [
    { label: 'From a named member', render: (appUrl) => renderOrganizationInvitation(invitation(appUrl)) },
    {
      label: 'From a member without a name',
      render: (appUrl) => renderOrganizationInvitation({ ...invitation(appUrl), inviterName: null, role: 'viewer' }),
    },
  ],
  organization_closed: [
    {
      label: 'Deleted organisation',
      render: (appUrl) =>
        renderOrganizationClosed({ appUrl, organizationName, closedByName: 'Ada Lovelace', deleteAfter: sampleTime }),
    },
  ],
  organization_suspended: [
    {
      label: 'With a message',
      render: (appUrl) =>
        renderOrganizationSuspended({ appUrl, organizationName, message: 'Please confirm who owns your domains.' }),
    },
    {
      label: 'Without a message',
      render: (appUrl) => renderOrganizationSuspended({ appUrl, organizationName, message: null }),
    },
  ],
  organization_suspension_lifted: [
    { label: 'Suspension lifted', render: (appUrl) => renderSuspensionLifted({ appUrl, organizationName }) },
  ],
  integration_disabled: [
    {
      label: 'With a reason',
      render: (appUrl) =>
        renderIntegrationDisabled({ ...integration, reason: 'Jira refused the token (401).' }, frame(appUrl)),
    },
    {
      label: 'Without a reason',
      render: (appUrl) => renderIntegrationDisabled({ ...integration, reason: null }, frame(appUrl)),
    },
  ],
  token_ending: [
    {
      label: 'In some days',
      render: (appUrl) => renderTokenEnding({ ...integration, endsAt: sampleDay, daysLeft: 7 }, frame(appUrl)),
    },
    {
      label: 'Tomorrow',
      render: (appUrl) => renderTokenEnding({ ...integration, endsAt: sampleDay, daysLeft: 1 }, frame(appUrl)),
    },
    {
      label: 'Today',
      render: (appUrl) => renderTokenEnding({ ...integration, endsAt: sampleDay, daysLeft: 0 }, frame(appUrl)),
    },
  ],
  files_full: [
    { label: 'A project', render: (appUrl) => renderFilesFull({ projectName: 'Website' }, frame(appUrl)) },
    { label: 'All projects', render: (appUrl) => renderFilesFull({ projectName: null }, frame(appUrl)) },
  ],
} satisfies Record<string, readonly Sample[]>
