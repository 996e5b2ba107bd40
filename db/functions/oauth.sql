-- Connected apps: tokens, and names of those who act through one.

create or replace function app.name_agent(p_agent text, p_person text) returns text
language sql immutable set search_path = ''
as $$
  select case
    when p_agent is null then p_person
    else 'Agent “' || p_agent || '”' || coalesce(' on behalf of ' || p_person, '')
  end
$$;
comment on function app.name_agent(text, text) is
  'Names who did something: the person, or the app that acts in their name. The app''s name is its own choice.';
grant execute on function app.name_agent(text, text) to authenticated, service_role, earshot_api_key;

create or replace function app.find_oauth_token(p_hash bytea)
returns table (
  organization_id uuid, grant_id uuid, user_id uuid, role text, client_name text, scopes text[], last_used_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select g.organization_id, g.id, g.user_id, m.role, g.client_name, g.scopes, g.last_used_at
  from app.oauth_tokens t
  join public.oauth_grants g on g.organization_id = t.organization_id and g.id = t.grant_id
  join public.memberships m on m.organization_id = g.organization_id and m.user_id = g.user_id
  where t.hash = p_hash and t.kind = 'access' and t.expires_at > now()
    and g.revoked_at is null
    and app.is_usable_account(g.user_id)
    and app.is_open_organization(g.organization_id)
$$;
comment on function app.find_oauth_token(bytea) is
  'Whom an access token acts for, read at every call: none when it has expired, its grant was revoked, the membership or '
  'the account has ended, or the organisation is closed. Granted to the powerless role: no caller is known before.';
grant execute on function app.find_oauth_token(bytea) to authenticator;

-- Codes and refresh tokens are exchanged as the system, before anyone is known.
grant execute on function app.is_usable_account(uuid), app.is_open_organization(uuid) to service_role;

-- Policies ------------------------------------------------------------------------------------------------------------

-- A superadmin sees other organisations, and is no member of them: the foreign key refuses a grant there.
drop policy if exists oauth_grants_select on public.oauth_grants;
create policy oauth_grants_select on public.oauth_grants for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists oauth_grants_insert on public.oauth_grants;
create policy oauth_grants_insert on public.oauth_grants for insert to authenticated
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists oauth_grants_update on public.oauth_grants;
create policy oauth_grants_update on public.oauth_grants for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));

drop policy if exists oauth_codes_insert on app.oauth_codes;
create policy oauth_codes_insert on app.oauth_codes for insert to authenticated
  with check (exists (
    select from public.oauth_grants g
    where g.organization_id = oauth_codes.organization_id and g.id = oauth_codes.grant_id));

-- New tables: see the end of app.sql, which ran before this file.
call app.add_system_policies();
