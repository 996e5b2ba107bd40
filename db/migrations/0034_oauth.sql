-- Apps that people connect by OAuth, and what agents do in a person's name.

create table app.oauth_clients (
  id uuid primary key default app.uuid_v7(),
  name text not null check (char_length(name) between 1 and 100),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  created_at timestamptz not null default now()
);
comment on table app.oauth_clients is
  'Apps that registered themselves (RFC 7591). Anyone may register one, under any name. They have no secret.';
comment on column app.oauth_clients.name is 'As the app calls itself. Verified by no one.';
comment on column app.oauth_clients.redirect_uris is 'Where codes may be sent.';
alter table app.oauth_clients enable row level security;
alter table app.oauth_clients force row level security;
grant select, insert, delete on app.oauth_clients to service_role;

create table public.oauth_grants (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  user_id uuid not null,
  client_id uuid not null references app.oauth_clients (id) on delete cascade,
  client_name text not null check (char_length(client_name) between 1 and 100),
  redirect_host text not null check (char_length(redirect_host) between 1 and 300),
  scopes text[] not null check (scopes <> '{}' and scopes <@ '{read,write}'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references public.memberships (organization_id, user_id) on delete cascade
);
comment on table public.oauth_grants is
  'Connected apps: what a member lets an app do in one organisation, in their name. Ends with the membership.';
comment on column public.oauth_grants.client_name is 'As the app called itself then.';
comment on column public.oauth_grants.redirect_host is 'Where the code was sent: a host, or the scheme of an app on the device.';
comment on column public.oauth_grants.scopes is 'read: tools that read. write: tools that change something.';
comment on column public.oauth_grants.expires_at is 'Of its latest code or refresh token.';
comment on column public.oauth_grants.last_used_at is 'Some minutes late; null: never used.';
comment on column public.oauth_grants.revoked_at is 'Revoked ones are kept for 30 days, so that their tokens are known to be revoked.';
create index oauth_grants_user_idx on public.oauth_grants (user_id, organization_id);
create index oauth_grants_client_idx on public.oauth_grants (client_id);
alter table public.oauth_grants enable row level security;
alter table public.oauth_grants force row level security;
grant select,
  insert (organization_id, id, user_id, client_id, client_name, redirect_host, scopes, expires_at),
  update (revoked_at) on public.oauth_grants to authenticated;
grant select, update, delete on public.oauth_grants to service_role;

create table app.oauth_codes (
  organization_id uuid not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  grant_id uuid not null,
  redirect_uri text not null check (char_length(redirect_uri) <= 2000),
  code_challenge text not null check (char_length(code_challenge) = 43),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, hash),
  foreign key (organization_id, grant_id) references public.oauth_grants (organization_id, id) on delete cascade
);
comment on table app.oauth_codes is
  'Authorisation codes. Used ones are kept until they expire: a second use revokes what the first gave.';
comment on column app.oauth_codes.hash is 'SHA-256 of the code.';
comment on column app.oauth_codes.code_challenge is 'PKCE, method S256.';
create index oauth_codes_grant_idx on app.oauth_codes (organization_id, grant_id);
create index oauth_codes_expires_idx on app.oauth_codes (expires_at);
alter table app.oauth_codes enable row level security;
alter table app.oauth_codes force row level security;
grant insert on app.oauth_codes to authenticated;
grant select, update, delete on app.oauth_codes to service_role;

create table app.oauth_tokens (
  organization_id uuid not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  grant_id uuid not null,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, hash),
  foreign key (organization_id, grant_id) references public.oauth_grants (organization_id, id) on delete cascade
);
comment on table app.oauth_tokens is 'Tokens of connected apps. They open /mcp and nothing else.';
comment on column app.oauth_tokens.hash is 'SHA-256 of the token, which is stored nowhere. A token has 256 random bits.';
comment on column app.oauth_tokens.used_at is
  'When a refresh token was exchanged. It is kept until it expires: a second use means a copy, and revokes the grant.';
create index oauth_tokens_grant_idx on app.oauth_tokens (organization_id, grant_id);
create index oauth_tokens_expires_idx on app.oauth_tokens (expires_at);
alter table app.oauth_tokens enable row level security;
alter table app.oauth_tokens force row level security;
grant select, insert, update, delete on app.oauth_tokens to service_role;

-- The default of two columns, so it stands here.
create function app.origin_agent() returns text
language sql stable set search_path = ''
as $$
  select left(coalesce(nullif(current_setting('app.origin', true), ''), '{}')::jsonb ->> 'agent', 100)
$$;
comment on function app.origin_agent() is 'Name of the app that makes the request in a person''s name; null: the person themselves, or no one.';
grant execute on function app.origin_agent() to authenticated, service_role, earshot_api_key;

alter table public.feedback_events add column agent_name text default app.origin_agent();
comment on column public.feedback_events.agent_name is 'The app that made the change in the actor''s name; null: none.';
alter table public.feedback_comments add column agent_name text default app.origin_agent();
comment on column public.feedback_comments.agent_name is 'The app that wrote it in the author''s name; null: none.';
