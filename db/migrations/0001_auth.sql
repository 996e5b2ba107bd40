-- Sign-in: the roles and the `auth` schema that Supabase's auth server (GoTrue) uses, table for table and column for
-- column, so that its client library, its row-level-security settings and a later move to or from Supabase all fit.
-- This whole file is skipped when an external Supabase project brings its own.

-- Roles belong to the whole cluster, so another database's migration may have made them already, or may be making
-- them at this moment. The migrating login is a superuser or holds CREATEROLE.
do $$
declare
  role_name text;
  must_grant boolean;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        -- None can log in: the application connects with its own login and steps down into them.
        execute format('create role %I nologin noinherit', role_name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;

  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    begin
      alter role service_role bypassrls;
    exception when insufficient_privilege then
      -- Tables therefore carry an explicit policy for service_role and never rely on the attribute.
      raise notice 'service_role works without BYPASSRLS: this login may not grant it';
    end;
  end if;

  -- The session user is the login, so `set role` is checked against the login's memberships.
  foreach role_name in array array['anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin'] loop
    if (select rolsuper from pg_roles where rolname = current_user) then
      must_grant := false;
    elsif current_setting('server_version_num')::int >= 160000 then
      -- From 16 on, the creator of a role is a member that may administer it, but neither use nor become it.
      must_grant := not (pg_has_role(current_user, role_name, 'SET') and pg_has_role(current_user, role_name, 'USAGE'));
    else
      must_grant := not pg_has_role(current_user, role_name, 'MEMBER');
    end if;
    if must_grant then
      execute format('grant %I to %I', role_name, current_user);
    end if;
  end loop;

  foreach role_name in array array['anon', 'authenticated', 'service_role', 'supabase_auth_admin'] loop
    if not pg_has_role('authenticator', role_name, 'MEMBER') then
      begin
        execute format('grant %I to authenticator', role_name);
      exception when unique_violation then
        null;
      end;
    end if;
  end loop;
end
$$;

create schema auth authorization supabase_auth_admin;
comment on schema auth is
  'Sign-in, as Supabase''s auth server lays it out. Only the auth service reads and writes it; it is never exposed '
  'through an API.';

-- Everything below belongs to supabase_auth_admin, which sees its rows as their owner; row-level security without a
-- policy hides them from every other role, even from one that is granted a table by mistake.
set role supabase_auth_admin;

grant usage on schema auth to anon, authenticated, service_role;

create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
create type auth.one_time_token_type as enum (
  'confirmation_token',
  'reauthentication_token',
  'recovery_token',
  'email_change_token_new',
  'email_change_token_current',
  'phone_change_token'
);

create table auth.users (
  instance_id uuid default '00000000-0000-0000-0000-000000000000',
  id uuid not null primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255) default '',
  confirmation_sent_at timestamptz,
  recovery_token varchar(255) default '',
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255) default '',
  email_change varchar(255) default '',
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
comment on table auth.users is 'People who can sign in.';
comment on column auth.users.instance_id is 'Unused by one-instance installations: always the zero UUID.';
comment on column auth.users.email is 'Lower-cased. Unique among accounts that do not come from single sign-on.';
comment on column auth.users.encrypted_password is
  'argon2id in PHC form; bcrypt from an imported Supabase is accepted. Empty: no password.';
comment on column auth.users.confirmation_token is
  'Hash of the address and the six-digit code of the sign-up email. The hash of its link is in auth.one_time_tokens. '
  'Empty: none pending; never null.';
comment on column auth.users.confirmation_sent_at is
  'When the confirmation email was queued: start of the resend pause and of the link''s lifetime.';
comment on column auth.users.raw_app_meta_data is
  'Facts the server states about the account: provider, providers. The user cannot change them.';
comment on column auth.users.raw_user_meta_data is
  'Data that the user gave: sign-up data, name. Never a basis for permissions.';
comment on column auth.users.email_change_confirm_status is
  'How many of the two addresses have confirmed a change: 0, 1; 2 is reserved.';
comment on column auth.users.banned_until is 'Sign-in is refused until then.';
comment on column auth.users.is_super_admin is
  'Unused: kept so that the table equals Supabase''s. Superadmins stand in app.superadmins.';

create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
create index users_instance_id_email_idx on auth.users (instance_id, lower(email));
create index users_is_anonymous_idx on auth.users (is_anonymous);
-- The list of all accounts is read page by page, newest first.
create index users_created_at_idx on auth.users (created_at desc nulls last, id);
create unique index confirmation_token_idx on auth.users (confirmation_token) where confirmation_token !~ '^[0-9 ]*$';
create unique index recovery_token_idx on auth.users (recovery_token) where recovery_token !~ '^[0-9 ]*$';
create unique index email_change_token_current_idx on auth.users (email_change_token_current)
  where email_change_token_current !~ '^[0-9 ]*$';
create unique index email_change_token_new_idx on auth.users (email_change_token_new)
  where email_change_token_new !~ '^[0-9 ]*$';
create unique index reauthentication_token_idx on auth.users (reauthentication_token)
  where reauthentication_token !~ '^[0-9 ]*$';

create table auth.identities (
  id uuid not null primary key default gen_random_uuid(),
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  constraint identities_provider_id_provider_unique unique (provider_id, provider)
);
comment on table auth.identities is 'Sign-in methods of a user: email, Google.';
comment on column auth.identities.provider_id is
  'The user''s id at the provider; for provider email, the user''s own id.';
create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email text_pattern_ops);

create table auth.sessions (
  id uuid not null primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  aal auth.aal_level,
  not_after timestamptz,
  refreshed_at timestamp,
  user_agent text,
  ip inet,
  tag text,
  oauth_client_id uuid,
  refresh_token_hmac_key text,
  refresh_token_counter bigint,
  scopes text check (char_length(scopes) <= 4096)
);
comment on table auth.sessions is 'One row per signed-in device. Deleting it signs that device out.';
comment on column auth.sessions.refreshed_at is
  'Last refresh, in UTC without a zone. Start of the interval in which an older token is still accepted.';
comment on column auth.sessions.not_after is 'When the session expires; null: never.';
comment on column auth.sessions.refresh_token_hmac_key is
  'Base64url of the secret that signs this session''s refresh tokens. The tokens themselves are stored nowhere.';
comment on column auth.sessions.refresh_token_counter is
  'Number of the session''s only active refresh token; every rotation adds one.';
create index sessions_user_id_idx on auth.sessions (user_id);
create index user_id_created_at_idx on auth.sessions (user_id, created_at);
create index sessions_not_after_idx on auth.sessions (not_after desc);

create table auth.refresh_tokens (
  instance_id uuid default '00000000-0000-0000-0000-000000000000',
  id bigserial primary key,
  token varchar(255) constraint refresh_tokens_token_unique unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid references auth.sessions (id) on delete cascade
);
comment on table auth.refresh_tokens is
  'First-generation refresh tokens, for sessions imported from Supabase. Sessions made here sign theirs instead: see '
  'auth.sessions.';
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_updated_at_idx on auth.refresh_tokens (updated_at desc);
create index refresh_tokens_instance_id_user_id_idx on auth.refresh_tokens (instance_id, user_id);

create table auth.mfa_amr_claims (
  id uuid not null primary key default gen_random_uuid(),
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'How the user of a session signed in: the access token''s amr claim.';

create table auth.flow_state (
  id uuid not null primary key,
  user_id uuid,
  auth_code text,
  code_challenge_method auth.code_challenge_method,
  code_challenge text,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  created_at timestamptz,
  updated_at timestamptz,
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  invite_token text,
  referrer text,
  oauth_client_state_id uuid,
  linking_target_id uuid,
  email_optional boolean not null default false
);
comment on table auth.flow_state is 'Unfinished sign-ins: the PKCE challenge waits here for its verifier.';
comment on column auth.flow_state.auth_code_issued_at is
  'When the link in the email was opened. The code''s lifetime counts from here, not from the email.';
create index flow_state_auth_code_idx on auth.flow_state (auth_code);
create index flow_state_user_id_method_idx on auth.flow_state (user_id, authentication_method);
create index flow_state_created_at_idx on auth.flow_state (created_at desc);

create table auth.one_time_tokens (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null check (char_length(token_hash) > 0),
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now()
);
comment on table auth.one_time_tokens is 'Secrets sent by email, hashed, one per user and purpose; deleted when used.';
comment on column auth.one_time_tokens.token_hash is
  'SHA-224 of the link''s secret, prefixed pkce_ when the browser will exchange a code. The secret itself is stored '
  'nowhere.';
comment on column auth.one_time_tokens.relates_to is 'The address the secret was sent to.';
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type);
create index one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
create index one_time_tokens_relates_to_hash_idx on auth.one_time_tokens using hash (relates_to);

create table auth.audit_log_entries (
  instance_id uuid default '00000000-0000-0000-0000-000000000000',
  id uuid not null primary key,
  payload json,
  created_at timestamptz,
  ip_address varchar(64) not null default ''
);
comment on table auth.audit_log_entries is
  'History of accounts: sign-ups, sign-ins, sign-outs, refreshes. Append only.';
comment on column auth.audit_log_entries.payload is
  '{action, actor_id, actor_username, actor_via_sso, log_type, traits?}';
create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);
-- Entries are kept for a limited time and found by their age.
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);

alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.audit_log_entries enable row level security;

create function auth.uid() returns uuid
language sql stable parallel safe
set search_path = ''
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;
comment on function auth.uid() is
  'Id of the signed-in user of this transaction; null without one. In policies write (select auth.uid()), evaluated '
  'once.';

create function auth.role() returns text
language sql stable parallel safe
set search_path = ''
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;
comment on function auth.role() is 'Role claim of this transaction: anon, authenticated or service_role.';

create function auth.email() returns text
language sql stable parallel safe
set search_path = ''
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;
comment on function auth.email() is 'Email claim of this transaction.';

create function auth.jwt() returns jsonb
language sql stable parallel safe
set search_path = ''
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;
comment on function auth.jwt() is 'All claims of this transaction.';

revoke execute on function auth.uid(), auth.role(), auth.email(), auth.jwt() from public;
grant execute on function auth.uid(), auth.role(), auth.email(), auth.jwt() to anon, authenticated, service_role;

reset role;

grant usage on schema public to anon, authenticated, service_role;
