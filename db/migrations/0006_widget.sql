create table public.widgets (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  project_id uuid not null,
  key text not null unique check (key ~ '^wk_[A-Za-z0-9_-]{22}$'),
  settings jsonb not null default '{}',
  last_loaded_at timestamptz,
  created_at timestamptz not null default now(),
  draft jsonb,
  draft_token text check (draft_token ~ '^[A-Za-z0-9_-]{22}$'),
  published_at timestamptz,
  published_by uuid,
  identity_generation integer not null default 1 check (identity_generation > 0),
  primary key (organization_id, id),
  unique (organization_id, project_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade,
  check ((draft is null) = (draft_token is null))
);
comment on table public.widgets is 'Key and settings of a project''s widget.';
comment on column public.widgets.key is 'Public key in the snippet''s URL. Not a secret.';
comment on column public.widgets.settings is 'The published settings. A missing one has its default.';
comment on column public.widgets.last_loaded_at is 'When a page last loaded the widget, to the minute; null: never.';
comment on column public.widgets.draft is 'Unpublished settings, all of them; null: no draft.';
comment on column public.widgets.draft_token is 'Secret of the draft''s preview link; a new one with each change.';
comment on column public.widgets.published_by is 'No foreign key: the row outlives the account.';
comment on column public.widgets.identity_generation is
  'Number of the secret, derived from the instance''s, that signs the ids of this project''s visitors. Rotating the '
  'secret adds one.';

alter table public.widgets enable row level security;
alter table public.widgets force row level security;
grant select, insert, update (
  key, settings, draft, draft_token, published_at, published_by, identity_generation
) on public.widgets to authenticated;
grant select, insert, update, delete on public.widgets to service_role;

create table public.widget_versions (
  organization_id uuid not null,
  project_id uuid not null,
  id uuid not null default app.uuid_v7(),
  settings jsonb not null,
  published_at timestamptz,
  published_by uuid,
  replaced_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.widget_versions is
  'Formerly published settings, as a stack: publishing pushes the old ones, undoing pops them.';
create index widget_versions_project_idx on public.widget_versions
  (organization_id, project_id, replaced_at desc, id desc);

alter table public.widget_versions enable row level security;
alter table public.widget_versions force row level security;
grant select, insert, delete on public.widget_versions to authenticated;
grant select, insert, update, delete on public.widget_versions to service_role;

create table public.widget_counters (
  organization_id uuid not null,
  project_id uuid not null,
  hour timestamptz not null check (hour = date_trunc('hour', hour, 'utc')),
  event text not null check (event in ('loaded', 'opened', 'closed', 'submitted')),
  n bigint not null check (n > 0),
  primary key (organization_id, project_id, hour, event),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.widget_counters is
  'Use of the widget, as sums per hour: a billion loads cost rows per project and hour, not per load.';

alter table public.widget_counters enable row level security;
alter table public.widget_counters force row level security;
grant select on public.widget_counters to authenticated;
grant select, insert, update on public.widget_counters to service_role;
