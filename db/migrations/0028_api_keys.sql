-- API keys of projects, and the role as which their calls run.

-- As in 0001: roles belong to the whole cluster, and the migrating login holds CREATEROLE.
do $$
declare
  must_grant boolean;
begin
  if not exists (select from pg_roles where rolname = 'earshot_api_key') then
    begin
      create role earshot_api_key nologin noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if (select rolsuper from pg_roles where rolname = current_user) then
    must_grant := false;
  elsif current_setting('server_version_num')::int >= 160000 then
    must_grant := not (
      pg_has_role(current_user, 'earshot_api_key', 'SET') and pg_has_role(current_user, 'earshot_api_key', 'USAGE'));
  else
    must_grant := not pg_has_role(current_user, 'earshot_api_key', 'MEMBER');
  end if;
  if must_grant then
    execute format('grant earshot_api_key to %I', current_user);
  end if;
end
$$;
grant usage on schema public, app to earshot_api_key;

create table public.api_keys (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  prefix text not null check (prefix ~ '^es_[0-9A-Za-z]{8}$'),
  hash bytea not null unique check (octet_length(hash) = 32),
  scopes text[] not null check (scopes <> '{}' and scopes <@ '{read,write}'),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text check (char_length(last_used_ip) <= 45),
  revoked_at timestamptz,
  replaced_by uuid,
  overlap_until timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade,
  check ((replaced_by is null) = (overlap_until is null))
);
comment on table public.api_keys is
  'API keys. Each reaches one project. Revoked ones stay, because histories and comments name them.';
comment on column public.api_keys.prefix is 'The first characters of the key, by which people tell keys apart.';
comment on column public.api_keys.hash is
  'SHA-256 of the key, which is shown once and stored nowhere. A key has 178 random bits, so a slow hash adds nothing.';
comment on column public.api_keys.scopes is 'read: GET requests. write: all others.';
comment on column public.api_keys.created_by is 'No foreign key: a key outlives the account.';
comment on column public.api_keys.expires_at is 'Chosen when it was created; null: never.';
comment on column public.api_keys.last_used_at is 'Written in batches, seconds late. Null: never used.';
comment on column public.api_keys.last_used_ip is 'Address that the latest call came from.';
comment on column public.api_keys.replaced_by is 'The key that it was regenerated as; null: it was not.';
comment on column public.api_keys.overlap_until is 'Until when it works beside its replacement.';
create index api_keys_project_idx on public.api_keys (organization_id, project_id, created_at desc, id desc);

alter table public.api_keys enable row level security;
alter table public.api_keys force row level security;
grant select (
  organization_id, id, project_id, name, prefix, scopes, created_by, created_at, expires_at, last_used_at, last_used_ip,
  revoked_at, replaced_by, overlap_until
), insert (
  organization_id, id, project_id, name, prefix, hash, scopes, created_by, expires_at
), update (revoked_at, replaced_by, overlap_until) on public.api_keys to authenticated;
grant select, update on public.api_keys to service_role;

-- What a key's calls may use of the tables; policies narrow it to the key's project.
grant select on
  public.projects, public.widgets, public.project_counters, public.feedback, public.feedback_events,
  public.feedback_comments, public.feedback_attachments, public.uploads, public.visitors, public.visitor_joins,
  public.profiles,
  -- Without a policy: for a key nothing is unread.
  public.feedback_reads
to earshot_api_key;
grant update (
  status, closed_reason, priority, first_viewed_at, spam_reason, assignee_user_id, tags, archived_at, deleted_at,
  snoozed_until
) on public.feedback to earshot_api_key;
grant insert on public.feedback_comments to earshot_api_key;
grant select, insert, update (state, processed, changed, undo_processed, kept)
  on public.feedback_operations to earshot_api_key;
