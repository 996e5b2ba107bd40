-- Signing out ends what a token sees through the functions that browsers call, as it does everywhere else: an access
-- token outlives its session by up to an hour.

create function app.is_usable_session() returns boolean
language sql stable security definer set search_path = ''
as $$
  select app.is_usable_account(auth.uid())
    and exists (
      select from auth.sessions s
      -- As text: whatever a token says, the comparison does not fail.
      where s.user_id = auth.uid() and s.id::text = auth.jwt() ->> 'session_id')
$$;
comment on function app.is_usable_session() is
  'Whether the caller''s account is confirmed, not deleted and not banned, and the session that the token names still stands.';

create or replace function public.is_superadmin(user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (is_superadmin.user_id = auth.uid() or exists (select from app.superadmins c where c.user_id = auth.uid()))
    and app.is_usable_session()
    and exists (select from app.superadmins s where s.user_id = is_superadmin.user_id),
    false)
$$;

create or replace function app.organization_rows(p_user_id uuid)
returns table (
  organization_id uuid, organization_name text, organization_slug text, organization_created_at timestamptz,
  organization_trial_ends_at timestamptz, organization_subscription_status text, organization_subscription_plan_id uuid,
  membership_user_id uuid, membership_role text, membership_joined_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.name, o.slug, o.created_at, o.trial_ends_at, o.subscription_status, o.subscription_plan_id,
         m.user_id, m.role, m.joined_at
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = p_user_id
    -- The subject comes from the caller, so it must be the caller: another's rows are as if they did not exist.
    and (p_user_id = auth.uid() or exists (select from app.superadmins s where s.user_id = auth.uid()))
    and app.is_usable_session()
$$;
