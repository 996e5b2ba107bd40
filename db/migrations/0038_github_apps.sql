-- GitHub Apps that owners are about to connect.

create table public.github_apps (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  user_id uuid not null,
  session_id text not null check (char_length(session_id) <= 200),
  state_hash bytea unique check (octet_length(state_hash) = 32),
  web_url text not null check (char_length(web_url) <= 500),
  account text check (char_length(account) between 1 and 100),
  app_name text check (char_length(app_name) <= 200),
  page_url text check (char_length(page_url) <= 500),
  secrets text check (char_length(secrets) <= 20000),
  expires_at timestamptz not null,
  primary key (organization_id, id),
  check ((secrets is null) = (app_name is null))
);
comment on table public.github_apps is
  'GitHub Apps that an owner is about to connect. The row ends when the integration is connected, which keeps the credentials.';
comment on column public.github_apps.id is 'The id that the integration will have: the App''s webhook names it.';
comment on column public.github_apps.user_id is 'The owner who connects it. No foreign key: it ends by itself.';
comment on column public.github_apps.session_id is 'The session in which the owner began: no other may bring the code.';
comment on column public.github_apps.state_hash is 'SHA-256 of what GitHub returns with the code; null: it was returned.';
comment on column public.github_apps.web_url is 'GitHub''s pages: https://github.com, or a GitHub Enterprise Server.';
comment on column public.github_apps.account is 'The organisation on GitHub that is to own the App; null: the person.';
comment on column public.github_apps.app_name is 'Null: GitHub has not created it yet.';
comment on column public.github_apps.page_url is 'The App''s page on GitHub.';
comment on column public.github_apps.secrets is 'Id, private key and webhook secret of the App: encrypted, never returned.';
create index github_apps_expires_idx on public.github_apps (expires_at);
alter table public.github_apps enable row level security;
alter table public.github_apps force row level security;
grant select (organization_id, id, user_id, session_id, state_hash, web_url, account, app_name, page_url, expires_at),
  insert (organization_id, id, user_id, session_id, state_hash, web_url, account, expires_at),
  update (state_hash, app_name, page_url, secrets, expires_at), delete on public.github_apps to authenticated;
grant select, delete on public.github_apps to service_role;

-- Members' agents list trackers by /mcp, and API keys link items of their project to issues.
grant select (is_tracker) on public.integrations to authenticated;
grant select (organization_id, id, type, name, account, settings, state, is_tracker)
  on public.integrations to earshot_api_key;
grant select, insert (organization_id, id, integration_id, feedback_id, issue_key, created_by)
  on public.issue_links to earshot_api_key;
-- The default of their id.
grant execute on function app.uuid_v7() to earshot_api_key;
