-- Feedback that arrives over the limit of a plan, or after a trial: stored and locked.

alter table public.feedback
  add column locked boolean not null default false,
  add column unlocked_at timestamptz;
comment on column public.feedback.locked is
  'Whether the organisation must choose a plan to read it. The content of a locked item is in app.locked_feedback alone: '
  'nothing here contains a word of it (decision 023).';
comment on column public.feedback.unlocked_at is 'When it became readable; null: it was from the beginning, or it is not.';
create index feedback_unlocked_idx on public.feedback (organization_id, project_id, unlocked_at)
  where unlocked_at is not null;

create table app.locked_feedback (
  organization_id uuid not null,
  id uuid not null,
  month date not null,
  arrived_at timestamptz not null default now(),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  primary key (organization_id, id),
  foreign key (organization_id, id) references public.feedback (organization_id, id) on delete cascade
);
comment on table app.locked_feedback is
  'The content of locked items. No role reads it: functions move it into the item when it is unlocked.';
comment on column app.locked_feedback.month is 'The month (UTC) whose limit it is unlocked by: that of its arrival.';
comment on column app.locked_feedback.content is 'Fields of app.submission or app.import_row, by name.';
create index locked_feedback_month_idx on app.locked_feedback (organization_id, month, arrived_at, id);

alter table app.locked_feedback enable row level security;
alter table app.locked_feedback force row level security;

create table app.locked_files (
  organization_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  primary key (organization_id, id),
  foreign key (organization_id, feedback_id) references app.locked_feedback (organization_id, id) on delete cascade
);
comment on table app.locked_files is
  'Files of locked items, by the ids of their uploads: claimed, but served to no one.';
create index locked_files_feedback_idx on app.locked_files (organization_id, feedback_id);

alter table app.locked_files enable row level security;
alter table app.locked_files force row level security;
grant select on app.locked_files to service_role;
