-- Full quotas of files: bytes of converted recordings, and refusals that owners are told of.

alter table public.uploads add column derived_bytes bigint not null default 0 check (derived_bytes >= 0);
comment on column public.uploads.derived_bytes is
  'Bytes of the converted form and the poster. They count towards the quota.';

create table public.full_quotas (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  project_id uuid,
  needed_bytes bigint not null check (needed_bytes >= 0),
  refused_at timestamptz not null default now(),
  notified_at timestamptz not null default now(),
  mailed_at timestamptz,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, project_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.full_quotas is
  'Quotas of files that refused a visitor''s file. Whether there is room again is computed when it is read.';
comment on column public.full_quotas.project_id is 'Null: the quota of the whole organisation.';
comment on column public.full_quotas.needed_bytes is 'Size of the file that was refused last; 0: unknown.';
comment on column public.full_quotas.refused_at is 'When a file was refused last; noted at most once a minute.';
comment on column public.full_quotas.notified_at is 'When owners were told last: at most once a day.';
comment on column public.full_quotas.mailed_at is
  'When the emails about it were written. Before notified_at: they are still to be written.';

alter table public.full_quotas enable row level security;
alter table public.full_quotas force row level security;
grant select on public.full_quotas to authenticated;
grant select, insert, update, delete on public.full_quotas to service_role;
