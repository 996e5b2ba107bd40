import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0004_audit.sql': '542469a16a69611876c62b6dcd3d4957d476dc6a57f6c207670d7534fe6fb616',
    '0003_organizations.sql': '222c3c6baf1ac53b19cb25fdc709d6805784985b13a8230c0d0212223f85bf3b',
  },
  tables: {
    'public.organizations': {
      rights: ['----', '.-..', 's-..', 's-ud', 'siud'],
      changeable: ['mails_hold_words', 'name'],
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
    'public.audit_log': {
      rights: ['----', '..--', '.i--', 'si--', 'si--'],
      make: ({ organizationId }) =>
        `insert into public.audit_log (organization_id, action) values ('${organizationId}', 'made')`,
      row: inOrganization,
      change: "action = 'changed'",
      add: (tenant, callerId) =>
        `(organization_id, actor_user_id, action) values ('${tenant.organizationId}', ${callerId ? `'${callerId}'` : 'null'}, 'tried')`,
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
    'app.is_usable_account(uuid)': [],
    'app.is_usable_session()': ['authenticated'],
    'app.organization_rows(uuid)': [],
    'app.keep_one_owner()': [],
    'app.on_owner_gone()': [],
    'app.refuse_change()': [],
  },
  withoutTenant: {
    'public.organizations': 'Is the tenant: its id is the organization_id of all others.',
  },
  routes: {
    createInvitation: { body: ({ tag }) => ({ email: `${tag}@example.com`, role: 'member' }) },
  },
}
