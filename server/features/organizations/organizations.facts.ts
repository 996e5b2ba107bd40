import { randomUUID } from 'node:crypto'
import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

const reopen = ({ organizationId }: { organizationId: string }) =>
  `update organizations set closed_at = null, delete_after = null where id = '${organizationId}'`

const smallestPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Not revoked, and sent so long ago that it may be sent again. */
const renewInvitation = ({ organizationId, invitationId }: Readonly<Record<string, string>>) => `
  update invitations set sent_at = now() - interval '2 minutes' where organization_id = '${organizationId}';
  update invitations set revoked_at = null where id = '${invitationId}'`

export const facts: Facts = {
  migrations: {
    '0026_organization_deletion.sql': '0a21e77ec635d003814acc5e6152288f90128979ce3483984ec60b20cf951239',
    '0027_members.sql': '488e3506609f4cb8c7a4d0c35b5d4da8582421449daa965ba143cf82d1c426a9',
    '0003_organizations.sql': '222c3c6baf1ac53b19cb25fdc709d6805784985b13a8230c0d0212223f85bf3b',
  },
  tables: {
    'public.organizations': {
      rights: ['----', '.-.-', 's-.-', 's-u-', 'siud'],
      changeable: ['mails_hold_words', 'name', 'slug'],
      row: (tenant) => `id = '${tenant.organizationId}'`,
      change: "name = 'changed'",
      add: () => "(name, slug) values ('Added', 'added')",
    },
    'public.memberships': {
      rights: ['----', '.-..', 's-..', 's-ud', 'siud'],
      changeable: ['role'],
      row: (tenant) => `${inOrganization(tenant)} and user_id = '${tenant.viewerId}'`,
      change: "role = 'admin'",
      add: (tenant) =>
        `(organization_id, user_id, role) values ('${tenant.organizationId}', '${tenant.spareId}', 'owner')`,
    },
    'public.invitations': {
      rights: ['----', '...-', '...-', 'siu-', 'siud'],
      changeable: ['expires_at', 'invited_by', 'revoked_at', 'role', 'sent_at', 'token_hash'],
      make: ({ organizationId, ownerId }) =>
        `insert into public.invitations (organization_id, email, role, token_hash, invited_by)
         values ('${organizationId}', 'invited@example.com', 'member', sha256('${organizationId}'), '${ownerId}')`,
      row: inOrganization,
      change: "role = 'viewer'",
      add: (tenant, callerId) =>
        `(organization_id, email, role, token_hash, invited_by)
       values ('${tenant.organizationId}', 'added@example.com', 'member', sha256('added'), ${idOf(callerId)})`,
    },
    'public.member_activity': {
      rights: ['----', '.---', '.---', 's---', 'siud'],
      make: ({ organizationId, viewerId }) =>
        `insert into public.member_activity (organization_id, user_id) values ('${organizationId}', '${viewerId}')`,
      row: (tenant) => `${inOrganization(tenant)} and user_id = '${tenant.viewerId}'`,
      change: 'last_active_at = now()',
      add: ({ organizationId, ownerId }) => `(organization_id, user_id) values ('${organizationId}', '${ownerId}')`,
    },
    'public.organization_logos': {
      rights: ['----', '....', 's...', 'siud', 'siud'],
      changeable: ['bytes', 'created_at', 'id', 'mime', 'organization_id'],
      make: ({ organizationId }) =>
        `insert into public.organization_logos (organization_id, id, mime, bytes)
         values ('${organizationId}', gen_random_uuid(), 'image/png', '\\x00')`,
      row: inOrganization,
      change: "mime = 'image/webp'",
      add: ({ organizationId }) =>
        `(organization_id, id, mime, bytes) values ('${organizationId}', gen_random_uuid(), 'image/png', '\\x00')
         on conflict (organization_id) do update set id = excluded.id`,
    },
    'app.superadmins': {
      rights: ['----', '----', '----', '----', 'si-d'],
      row: () => 'true',
      change: 'granted_at = now()',
      add: (tenant) => `(user_id) values ('${tenant.spareId}')`,
    },
    'app.instance_settings': {
      rights: ['----', '----', '----', '----', 's-u-'],
      row: () => 'true',
      change: 'billing_enabled = true',
      add: () => 'default values',
    },
  },
  functions: {
    'public.get_user_current_organization(uuid)': ['authenticated', 'service_role'],
    'public.get_user_organization_by_id(uuid,uuid)': ['authenticated', 'service_role'],
    'public.is_superadmin(uuid)': ['authenticated', 'service_role'],
    'app.owned_organization_ids()': ['authenticated'],
    'app.visible_organization_ids()': ['authenticated'],
    'app.visible_user_ids()': ['authenticated'],
    'app.get_actor(uuid,uuid,uuid)': ['authenticator'],
    'app.accept_invitation(bytea)': ['authenticated'],
    'app.find_invitation(bytea)': ['authenticator'],
    'app.queue_invitation(uuid,uuid,uuid,text,text,text,text)': ['authenticated'],
    'app.was_invited_since(text,timestamp with time zone)': ['supabase_auth_admin'],
    'app.record_member_change()': [],
    'app.is_usable_account(uuid)': ['service_role'],
    'app.is_usable_session()': ['authenticated'],
    'app.organization_rows(uuid)': [],
    'app.keep_one_owner()': [],
    'app.queue_member_changes()': [],
    'app.on_owner_gone()': [],
    'app.is_open_organization(uuid)': ['service_role'],
    'app.may_delete_organization(uuid)': [],
    'app.may_restore_organization(uuid)': [],
    'app.close_open_organization(uuid,interval,uuid)': ['service_role'],
    'app.close_organization(uuid,text,interval)': ['authenticated'],
    'app.queue_closing_emails(uuid,text,text,text,text)': ['authenticated'],
    'app.restore_organization(uuid)': ['authenticated'],
    'app.find_organization_deletion(uuid)': ['authenticated'],
    'app.on_organization_closing()': [],
    'app.remove_organization_rows(uuid,integer)': ['service_role'],
    'app.finish_organization_removal(uuid)': ['service_role'],
    'app.list_own_organizations(text,text,uuid,integer)': ['authenticated'],
    'app.select_organization(uuid)': ['authenticated'],
    'app.create_own_organization(uuid,text,integer)': ['authenticated'],
    'app.find_own_organization_of(uuid,uuid)': ['authenticated'],
    'app.write_slug(text)': ['authenticated', 'service_role'],
    'app.find_logo(uuid)': ['authenticator'],
    'app.leave_organization(uuid)': ['authenticated'],
    'app.list_member_by_name()': [],
    'app.list_members(uuid,text,text,uuid,integer)': ['authenticated'],
    'app.name_for_lists(text,text)': [],
    'app.on_profile_renamed()': [],
    'app.record_activity(uuid,uuid)': ['authenticator'],
    'app.record_logo_change()': [],
    'app.record_organization_change()': [],
  },
  withoutTenant: {
    'public.organizations': 'Is the tenant: its id is the organization_id of all others.',
  },
  gates: { 'GET /api/v1/logos/{logoId}': 'secret address' },
  ids: {
    invitationId: { table: 'public.invitations' },
    userId: { table: 'public.memberships', column: 'user_id' },
  },
  routes: {
    createInvitation: { body: ({ tag }) => ({ email: `${tag}@example.com`, role: 'member' }) },
    createOrganization: { body: () => ({ id: randomUUID(), name: 'Made' }) },
    deleteOrganization: { body: () => ({ name: 'Example' }), undo: reopen },
    getOrganizationDeletion: {
      renew: ({ organizationId }) =>
        `update organizations set closed_at = now(), delete_after = now() + interval '1 day' where id = '${organizationId}'`,
      undo: reopen,
    },
    createInvitations: { body: ({ tag }) => ({ recipients: [`Ada <${tag}@example.com>`], role: 'member' }) },
    resendInvitation: { renew: renewInvitation },
    createInvitationLink: { renew: renewInvitation },
    changeMemberRole: { body: () => ({ role: 'viewer' }) },
    transferOwnership: { body: ({ memberId }) => ({ userId: memberId }) },
    updateOrganization: {
      body: ({ tag }) => ({ slug: tag }),
      fullBody: ({ tag }) => ({ name: 'Example', slug: tag }),
    },
    setLogo: { body: () => ({ mime: 'image/png', data: smallestPng }) },
  },
  events: {
    'organization.updated': async (call) => {
      const reply = await call('', { method: 'PATCH', body: { name: 'Renamed' } })
      // The answer of its contract.
      return [((await reply.json()) as { id: string }).id]
    },
    'member.invitation_link_created': async (call) => {
      const reply = await call('/invitations', { body: { email: 'linked@example.com', role: 'viewer' } })
      // The answer of its contract.
      const { id } = (await reply.json()) as { id: string }
      await call(`/invitations/${id}/link`, { method: 'POST' })
      return [id]
    },
  },
}
