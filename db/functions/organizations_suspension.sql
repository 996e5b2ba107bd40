-- Suspended organisations: who reaches one, and what its members may know.

create or replace function app.is_reachable_organization(p_id uuid, p_role text) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Requests that members or owners may make even meanwhile say so in app.even_suspended.
  select exists (
    select from public.organizations o
    where o.id = p_id and o.closed_at is null and (
      o.suspended_at is null
      or current_setting('app.even_suspended', true) = 'members'
      or current_setting('app.even_suspended', true) = 'owners' and p_role = 'owner'))
$$;
comment on function app.is_reachable_organization(uuid, text) is
  'Whether a member with that role reaches the rows of the organisation: it is neither closed nor suspended, or the request '
  'is one that may be made while it is suspended.';

create or replace function app.find_organization_suspension(p_id uuid)
returns table (name text, suspended_at timestamptz, message text, role text)
language sql stable security definer set search_path = ''
as $$
  -- Superadmins who are no members have the rights of owners.
  select o.name, o.suspended_at, s.message, coalesce(m.role, 'owner')
  from public.organizations o
  left join public.memberships m on m.organization_id = o.id and m.user_id = auth.uid()
  left join app.organization_suspensions s on s.organization_id = o.id and s.lifted_at is null
  where o.id = p_id and o.suspended_at is not null and app.is_usable_account(auth.uid())
    and (m.role is not null or exists (select from app.superadmins a where a.user_id = auth.uid()))
$$;
comment on function app.find_organization_suspension(uuid) is
  'What members of a suspended organisation, and superadmins, read: since when, and the superadmin''s message. Not the reason.';
grant execute on function app.find_organization_suspension(uuid) to authenticated;
