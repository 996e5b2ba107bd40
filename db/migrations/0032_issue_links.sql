-- Issues of trackers that items are linked to, and how both sides stay alike.

create table public.issue_links (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  integration_id uuid not null,
  feedback_id uuid not null,
  issue_key text check (char_length(issue_key) between 1 and 300),
  label text check (char_length(label) <= 300),
  title text check (char_length(title) <= 1000),
  url text check (char_length(url) <= 2000),
  status_name text check (char_length(status_name) <= 200),
  stage text check (stage in ('todo', 'started', 'done', 'dropped')),
  agreed_stage text check (agreed_stage in ('todo', 'started', 'done', 'dropped')),
  intended_stage text check (intended_stage in ('todo', 'started', 'done', 'dropped')),
  state text not null default 'creating' check (state in ('creating', 'linked', 'failed', 'gone')),
  creating_since timestamptz,
  failure text check (char_length(failure) <= 500),
  created_by uuid,
  created_at timestamptz not null default now(),
  synced_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, integration_id, feedback_id),
  foreign key (organization_id, integration_id) references public.integrations (organization_id, id) on delete cascade,
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade,
  check (state <> 'linked' or issue_key is not null)
);
comment on table public.issue_links is 'Issues in trackers that items are linked to: at most one of each integration for an item.';
comment on column public.issue_links.issue_key is 'By which the tracker finds the issue, also after it was moved; null: it is still being created.';
comment on column public.issue_links.label is 'The tracker''s short name of the issue, such as acme/web#12.';
comment on column public.issue_links.status_name is 'The issue''s status in the tracker''s words, as last read.';
comment on column public.issue_links.stage is 'The issue''s status as last read, in stages that all trackers have.';
comment on column public.issue_links.agreed_stage is
  'The stage in which both sides were last alike. The side that differs from it has changed since; null: not compared yet.';
comment on column public.issue_links.intended_stage is
  'The stage that the issue was last to be given, noted before it was: an issue in it has not been changed by others.';
comment on column public.issue_links.state is 'gone: the issue was deleted, or can''t be reached any more.';
comment on column public.issue_links.creating_since is
  'When the tracker was first asked to create the issue. Before it is asked again, the issue is looked for.';
comment on column public.issue_links.created_by is 'Null: a rule. No foreign key: a link outlives the account.';
create index issue_links_feedback_idx on public.issue_links (organization_id, feedback_id);
create index issue_links_issue_idx on public.issue_links (organization_id, integration_id, issue_key);

create table public.issue_comments (
  organization_id uuid not null,
  link_id uuid not null,
  comment_id uuid not null,
  remote_id text not null check (char_length(remote_id) <= 300),
  origin text not null check (origin in ('item', 'issue')),
  primary key (organization_id, link_id, comment_id),
  unique (organization_id, link_id, remote_id),
  foreign key (organization_id, link_id) references public.issue_links (organization_id, id) on delete cascade
);
comment on table public.issue_comments is 'Which note of an item is which comment of its issue, so that none is copied twice.';
comment on column public.issue_comments.comment_id is 'The note of the item. No foreign key: a deleted note is not copied again.';
comment on column public.issue_comments.origin is 'Where it was written.';

create table public.tracker_hooks (
  organization_id uuid not null,
  integration_id uuid not null,
  hook_id text not null check (char_length(hook_id) between 1 and 200),
  received_at timestamptz not null default now(),
  primary key (organization_id, integration_id, hook_id),
  foreign key (organization_id, integration_id) references public.integrations (organization_id, id) on delete cascade
);
comment on table public.tracker_hooks is 'Calls of trackers that were received, kept for a week, so that a repeated one is recognised.';
create index tracker_hooks_received_at_idx on public.tracker_hooks (received_at);

alter table public.integrations
  add column is_tracker boolean not null default false,
  add column polled_until timestamptz,
  add column polled_at timestamptz;
comment on column public.integrations.is_tracker is 'Whether its type links items to issues.';
comment on column public.integrations.polled_until is 'Issues that changed before have been asked for; null: none have.';
comment on column public.integrations.polled_at is 'When it was last asked for changed issues.';

alter table public.deliveries add column requests integer not null default 0 check (requests >= 0);
comment on column public.deliveries.requests is
  'How often the synchronisation of an issue was requested: one that is requested while it runs is run again.';

alter table public.feedback_comments add column author_name text check (char_length(author_name) between 1 and 200);
comment on column public.feedback_comments.author_name is 'Of a note that was written in a tracker: its author there.';

alter table app.events drop constraint events_actor_kind_check;
alter table app.events add constraint events_actor_kind_check
  check (actor_kind in ('user', 'api_key', 'integration', 'superadmin', 'visitor', 'system'));
alter table public.audit_log drop constraint audit_log_actor_kind_check;
alter table public.audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('user', 'api_key', 'integration', 'superadmin', 'visitor', 'system'));

alter table public.issue_links enable row level security;
alter table public.issue_links force row level security;
alter table public.issue_comments enable row level security;
alter table public.issue_comments force row level security;
alter table public.tracker_hooks enable row level security;
alter table public.tracker_hooks force row level security;

grant select, insert (organization_id, id, integration_id, feedback_id, issue_key, created_by), delete
  on public.issue_links to authenticated;
grant select, insert, update on public.issue_links to service_role;
grant select, insert on public.issue_comments to service_role;
grant select, insert, delete on public.tracker_hooks to service_role;
-- The log of a repeated synchronisation is written over.
grant update on public.delivery_attempts to service_role;
grant insert (is_tracker) on public.integrations to authenticated;
