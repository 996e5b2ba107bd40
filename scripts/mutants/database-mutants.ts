import { inDatabase, inFunction, type Mutant } from './mutant.ts'

const impersonations = ['server/features/impersonations/impersonations.test.ts']
const matrix = ['server/platform/database/matrix.test.ts']
const catalogue = ['server/platform/database/catalogue.test.ts']
const access = ['server/access.test.ts']
const visible = '(organization_id in (select app.visible_organization_ids()))'

/** Policies, rights, triggers and checks of the database that are missing or too wide. */
export const databaseMutants: readonly Mutant[] = [
  {
    name: 'the policy for reading feedback lets everyone read everything',
    change: inDatabase('alter policy feedback_select on public.feedback using (id is not null)'),
    tests: matrix,
  },
  {
    name: 'the policy for reading feedback is simply true',
    change: inDatabase('alter policy feedback_select on public.feedback using (true)'),
    tests: catalogue,
  },
  {
    name: 'the policy for changing feedback has no condition of the organisation',
    change: inDatabase(
      'alter policy feedback_update on public.feedback using (id is not null) with check (id is not null)',
    ),
    tests: matrix,
  },
  {
    name: 'every member may add projects',
    change: inDatabase(`alter policy projects_insert on public.projects with check ${visible}`),
    tests: matrix,
  },
  {
    name: 'every member may change roles',
    change: inDatabase(`alter policy memberships_update on public.memberships using ${visible} with check ${visible}`),
    tests: matrix,
  },
  {
    name: 'every member reads invitations',
    change: inDatabase(`alter policy invitations_select on public.invitations using ${visible}`),
    tests: matrix,
  },
  {
    name: 'every member reads the audit log',
    change: inDatabase(`alter policy audit_log_select on public.audit_log using ${visible}`),
    tests: matrix,
  },
  {
    name: 'private views are shown to all members',
    change: inDatabase(`alter policy saved_views_select on public.saved_views using ${visible}`),
    tests: ['server/features/feedback/views/views.test.ts'],
  },
  {
    name: 'members read each other’s notifications',
    change: inDatabase(`alter policy notifications_select on public.notifications using ${visible}`),
    tests: matrix,
  },
  {
    name: 'members read each other’s bulk operations',
    change: inDatabase(`alter policy feedback_operations_own on public.feedback_operations using ${visible}`),
    tests: matrix,
  },
  {
    name: 'a comment may be written in another member’s name',
    change: inDatabase(`alter policy feedback_comments_insert on public.feedback_comments with check ${visible}`),
    tests: matrix,
  },
  {
    name: 'pictures of all accounts may be replaced by anyone',
    change: inDatabase('alter policy avatars_own on public.avatars using (user_id is not null)'),
    tests: matrix,
  },
  {
    name: 'row-level security of comments is off',
    change: inDatabase('alter table public.feedback_comments disable row level security'),
    tests: catalogue,
  },
  {
    name: 'the owner of exports passes row-level security',
    change: inDatabase('alter table public.exports no force row level security'),
    tests: catalogue,
  },
  {
    name: 'anonymous callers have a policy',
    change: inDatabase(
      `grant select on public.projects to anon; create policy open_door on public.projects for select to anon using (id is not null)`,
    ),
    tests: catalogue,
  },
  {
    name: 'members may change the words of feedback',
    change: inDatabase('grant update (message) on public.feedback to authenticated'),
    tests: matrix,
  },
  {
    name: 'members may read queued emails',
    change: inDatabase(`grant select on app.emails to authenticated;
      create policy open_door on app.emails for select to authenticated using (id is not null)`),
    tests: matrix,
  },
  {
    name: 'jobs may delete from the audit log',
    // Each of the two suffices.
    change: inDatabase(
      'grant delete on public.audit_log to service_role; drop trigger audit_log_keep on public.audit_log',
    ),
    tests: matrix,
  },
  {
    name: 'members may write to the audit log',
    change: inDatabase(
      `grant insert on public.audit_log to authenticated;
      create policy open_door on public.audit_log for insert to authenticated with check ${visible}`,
    ),
    tests: matrix,
  },
  {
    name: 'API keys read feedback of every organisation',
    change: inDatabase('alter policy feedback_key_select on public.feedback using (id is not null)'),
    tests: matrix,
  },
  {
    name: 'API keys read feedback of every project of their organisation',
    change: inDatabase(`alter policy feedback_key_select on public.feedback
      using (organization_id in (select k.organization_id from app.key_projects() k))`),
    tests: access,
  },
  {
    name: 'API keys search every project of their organisation',
    change: inFunction('app.is_key_selection', ' and p_project_ids = array[k.project_id]', ''),
    tests: matrix,
  },
  {
    name: 'API keys that only read may change items in the database',
    change: inFunction('app.key_projects', `'write' = any (k.scopes)`, 'true'),
    tests: matrix,
  },
  {
    name: 'a revoked API key reaches its project in the database',
    change: inFunction('app.key_projects', 'and k.revoked_at is null', ''),
    tests: matrix,
  },
  {
    name: 'an expired API key reaches its project in the database',
    change: inFunction('app.key_projects', 'and coalesce(least(k.expires_at, k.overlap_until) > now(), true)', ''),
    tests: matrix,
  },
  {
    name: 'an API key of a closed organisation reaches its project in the database',
    change: inFunction('app.key_projects', ' and o.closed_at is null', ''),
    tests: matrix,
  },
  {
    name: 'an API key of a closed organisation is known',
    change: inFunction('app.find_api_key', ' and o.closed_at is null', ''),
    tests: access,
  },
  {
    name: 'app.get_key_name names the API keys of any organisation',
    change: inFunction('app.get_key_name', 'where (p_organization_id in', 'where (true or p_organization_id in'),
    tests: matrix,
  },
  {
    name: 'rows of a closed organisation stay in reach of its members',
    change: inFunction(
      'app.visible_organization_ids',
      'and app.is_reachable_organization(m.organization_id, m.role)',
      '',
    ),
    tests: matrix,
  },
  {
    name: 'rows of a suspended organisation stay in reach of its members',
    change: inFunction('app.is_reachable_organization', 'o.suspended_at is null', 'true'),
    tests: matrix,
  },
  {
    name: 'an API key of a suspended organisation reaches its project in the database',
    change: inFunction('app.key_projects', ' and o.suspended_at is null', ''),
    tests: matrix,
  },
  {
    name: 'every member closes the organisation',
    change: inFunction('app.may_delete_organization', ` and m.role = 'owner'`, ''),
    tests: matrix,
  },
  {
    name: 'app.list_members lists the members of any organisation',
    change: inFunction('app.list_members', 'and p_organization_id in (select app.visible_organization_ids())', ''),
    tests: matrix,
  },
  {
    name: 'members may store imported rows past all checks',
    change: inDatabase('grant execute on function app.store_imported(uuid, uuid, json) to authenticated'),
    tests: catalogue,
  },
  {
    name: 'a function with its owner’s rights takes its search path from the caller',
    change: inDatabase('alter function app.delete_project(uuid, uuid) reset search_path'),
    tests: catalogue,
  },
  {
    name: 'the key of a table does not begin with the organisation',
    change: inDatabase(
      'alter table public.reply_templates drop constraint reply_templates_pkey, add constraint reply_templates_pkey primary key (id)',
    ),
    tests: catalogue,
  },
  ...['app.find_feedback', 'app.count_matches', 'app.count_groups'].map((name) => ({
    name: `${name} does not ask whose organisation it searches`,
    change: inFunction(name, 'p_organization_id not in (select app.visible_organization_ids())', 'false'),
    tests: matrix,
  })),
  ...['app.list_visitors', 'app.list_visitor_feedback'].map((name) => ({
    name: `${name} does not ask whose visitors it lists`,
    change: inFunction(name, 'p_organization_id not in (select app.visible_organization_ids())', 'false'),
    tests: matrix,
  })),
  {
    name: 'app.similar_words shows the words of every organisation’s feedback',
    change: inFunction('app.similar_words', 'p_organization_id in (select app.visible_organization_ids())', 'true'),
    tests: matrix,
  },
  {
    name: 'app.find_similar_feedback searches in every organisation',
    change: inFunction(
      'app.find_similar_feedback',
      'and (p_organization_id in (select app.visible_organization_ids())',
      'and (true',
    ),
    tests: matrix,
  },
  {
    name: 'app.find_similar_feedback serves API keys of other projects',
    change: inFunction(
      'app.find_similar_feedback',
      'or (f.organization_id, f.project_id) in (select k.organization_id, k.project_id from app.key_projects() k)',
      'or exists (select from app.key_projects() k where k.organization_id = f.organization_id)',
    ),
    tests: access,
  },
  {
    name: 'app.hold_member tells who belongs to any organisation',
    change: inFunction('app.hold_member', 'and (p_organization_id in', 'and (true or p_organization_id in'),
    tests: matrix,
  },
  {
    name: 'app.queue_invitation sends emails of any organisation',
    change: inFunction('app.queue_invitation', 'and i.organization_id in (select app.owned_organization_ids())', ''),
    tests: matrix,
  },
  {
    name: 'a token without a user counts as the system',
    change: inFunction(
      'app.record_event',
      "coalesce(current_setting('role', true), '') not in ('service_role', 'none')",
      'auth.uid() is not null',
    ),
    tests: matrix,
  },
  {
    name: 'app.delete_project does not ask for an owner',
    change: inFunction('app.delete_project', 'p_organization_id not in (select app.owned_organization_ids())', 'false'),
    tests: matrix,
  },
  {
    name: 'events may be recorded in every organisation',
    change: inFunction('app.record_event', 'p_organization_id not in (select app.visible_organization_ids())', 'false'),
    tests: matrix,
  },
  {
    name: 'a request to one organisation opens all of the caller’s',
    change: inFunction(
      'app.visible_organization_ids',
      `coalesce(nullif(current_setting('app.organization_id', true), '')::uuid, m.organization_id)`,
      'm.organization_id',
    ),
    tests: matrix,
  },
  {
    name: 'admins have an owner’s rights',
    change: inFunction('app.owned_organization_ids', `m.role = 'owner'`, `m.role in ('owner', 'admin')`),
    tests: matrix,
  },
  {
    name: 'banned accounts keep their rights in the database',
    change: inFunction('app.is_usable_account', '(u.banned_until is null or u.banned_until <= now())', 'true'),
    tests: matrix,
  },
  {
    name: 'unverified accounts have rights in the database',
    change: inFunction('app.is_usable_account', 'u.email_confirmed_at is not null', 'true'),
    tests: matrix,
  },
  {
    name: 'a session that has ended still opens the API',
    change: inFunction(
      'app.get_actor',
      'exists (select from auth.sessions s where s.id = p_session_id and s.user_id = u.id)',
      'true',
    ),
    tests: access,
  },
  {
    name: 'a session of another account opens the API',
    change: inFunction('app.get_actor', 's.id = p_session_id and s.user_id = u.id', 's.id = p_session_id'),
    tests: access,
  },
  {
    name: 'the guard takes anyone’s membership for the caller’s',
    change: inFunction(
      'app.get_actor',
      '(select m.role from public.memberships m where m.organization_id = p_organization_id and m.user_id = u.id)',
      '(select m.role from public.memberships m where m.organization_id = p_organization_id limit 1)',
    ),
    tests: access,
  },
  {
    name: 'a browser asks for the organisations of any account',
    change: inFunction('app.organization_rows', 'p_user_id = auth.uid() or', 'true or'),
    tests: matrix,
  },
  {
    name: 'a browser asks who is a superadmin',
    change: inFunction('public.is_superadmin', 'is_superadmin.user_id = auth.uid() or', 'true or'),
    tests: matrix,
  },
  {
    name: 'the last owner can be removed',
    change: inDatabase('drop trigger memberships_keep_one_owner on public.memberships'),
    tests: ['server/features/auth/admin/admin.test.ts'],
  },
  {
    name: 'an invitation is accepted by another address',
    change: inFunction('app.accept_invitation', ' and lower(u.email) = v_invitation.email', ''),
    tests: ['server/features/organizations/invitations.test.ts'],
  },
  {
    name: 'an expired invitation is accepted',
    change: inFunction('app.accept_invitation', 'or v_invitation.expires_at <= now()', ''),
    tests: ['server/features/organizations/invitations.test.ts'],
  },
  {
    name: 'a revoked invitation is accepted',
    change: inFunction('app.accept_invitation', 'or v_invitation.revoked_at is not null', ''),
    tests: ['server/features/organizations/invitations.test.ts'],
  },
  {
    name: 'anyone ends anyone’s sessions',
    change: inFunction('app.end_own_session', 's.id = p_id and s.user_id = auth.uid()', 's.id = p_id'),
    tests: ['server/features/auth/account.test.ts'],
  },
  {
    name: 'an ended impersonation is still good',
    change: inFunction('app.find_impersonation_end', 'when p.ended_at is not null then p.end_reason', ''),
    tests: impersonations,
  },
  {
    name: 'an impersonation has no end',
    change: inFunction('app.find_impersonation_end', "when p.expires_at <= now() then 'expired'", ''),
    tests: impersonations,
  },
  {
    name: 'an impersonation survives its superadmin’s right',
    change: inFunction(
      'app.find_impersonation_end',
      'not exists (select from app.superadmins s where s.user_id = p.superadmin_id)',
      'false',
    ),
    tests: impersonations,
  },
  {
    name: 'an impersonation survives its superadmin’s ban',
    change: inFunction('app.find_impersonation_end', 'not app.is_usable_account(p.superadmin_id)', 'false'),
    tests: impersonations,
  },
  {
    name: 'an impersonation survives its superadmin’s session',
    change: inFunction('app.find_impersonation_end', 's.id = p.superadmin_session_id and ', ''),
    tests: impersonations,
  },
  {
    name: 'someone who has become superadmin stays impersonated',
    change: inFunction(
      'app.find_impersonation_end',
      'when exists (select from app.superadmins s where s.user_id = p.user_id)',
      'when false',
    ),
    tests: impersonations,
  },
  {
    name: 'superadmins are impersonated',
    change: inFunction(
      'app.start_impersonation',
      'exists (select from app.superadmins s where s.user_id = p_user_id)',
      'false',
    ),
    tests: impersonations,
  },
  {
    name: 'limits grant every request',
    change: inFunction('app.take_token', '-- Most refusals happen here', 'return 0; --'),
    tests: ['server/platform/limits/shared-limit.test.ts'],
  },
]
