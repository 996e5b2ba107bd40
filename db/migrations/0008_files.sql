-- Files that visitors attach: announced attachments, uploads, and bytes to remove from the storage.

create table public.feedback_attachments (
  organization_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  kind text not null check (kind in ('screenshot', 'voice', 'screen', 'file', 'replay')),
  name text check (char_length(name) <= 255),
  position smallint not null default 0 check (position between 0 and 99),
  duration_ms integer check (duration_ms between 0 and 3600000),
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
comment on table public.feedback_attachments is
  'Files that an item announced. The bytes are in uploads under the same id, and may arrive before or after.';
comment on column public.feedback_attachments.id is 'Made by the sender (UUIDv7), like the item''s.';
comment on column public.feedback_attachments.position is 'Order within the item.';
comment on column public.feedback_attachments.duration_ms is
  'As the sender measured it; uploads.duration_ms is the server''s.';
create index feedback_attachments_feedback_idx on public.feedback_attachments (organization_id, feedback_id, position);

alter table public.feedback_attachments enable row level security;
alter table public.feedback_attachments force row level security;
grant select on public.feedback_attachments to authenticated;
grant select, insert, update, delete on public.feedback_attachments to service_role;

create table public.uploads (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  state text not null default 'receiving' check (state in ('receiving', 'processing', 'ready', 'refused')),
  kind text not null check (kind in ('screenshot', 'voice', 'screen', 'file', 'replay')),
  name text check (char_length(name) <= 255),
  declared_mime text check (char_length(declared_mime) <= 255),
  declared_bytes bigint check (declared_bytes >= 0),
  mime text check (char_length(mime) <= 255),
  bytes bigint not null default 0 check (bytes >= 0),
  storage_key text not null unique check (storage_key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$'),
  playback_key text check (char_length(playback_key) <= 100),
  poster_key text check (char_length(poster_key) <= 100),
  waveform smallint[] check (cardinality(waveform) <= 200 and 0 <= all (waveform) and 100 >= all (waveform)),
  width integer check (width > 0),
  height integer check (height > 0),
  duration_ms integer check (duration_ms >= 0),
  note text check (char_length(note) <= 300),
  is_claimed boolean not null default false,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade,
  check (state = 'receiving' or completed_at is not null)
);
comment on table public.uploads is
  'Uploaded files: progress, storage key, detected content. A row that no item claims within a day is deleted.';
comment on column public.uploads.id is
  'Made by the sender. The item that announces it in feedback_attachments claims it.';
comment on column public.uploads.state is 'refused: the content did not match the declared kind, and was deleted.';
comment on column public.uploads.declared_mime is 'As the sender declared it; not trusted.';
comment on column public.uploads.declared_bytes is
  'Declared length of the file; null: the sender does not know it yet.';
comment on column public.uploads.mime is 'Detected from the content; null: not examined yet.';
comment on column public.uploads.bytes is 'Bytes received, as of the last request.';
comment on column public.uploads.storage_key is 'Where the bytes are. Made by the server, never reused.';
comment on column public.uploads.playback_key is 'Converted form that every browser plays; null: none.';
comment on column public.uploads.waveform is 'Loudness over the length of the sound, 0 to 100.';
comment on column public.uploads.note is 'Why it was refused, or could not be converted. Shown to the team.';
comment on column public.uploads.is_claimed is
  'Set by the sweep when a day-old upload belongs to an item, so that it is not examined again.';
create index uploads_project_idx on public.uploads (organization_id, project_id);
create index uploads_sweep_idx on public.uploads (created_at) where not is_claimed;
create index uploads_unfinished_idx on public.uploads (created_at) where state = 'receiving';

alter table public.uploads enable row level security;
alter table public.uploads force row level security;
grant select on public.uploads to authenticated;
grant select, insert, update, delete on public.uploads to service_role;

create table app.removed_files (
  storage_key text not null primary key,
  removed_at timestamptz not null default now()
);
comment on table app.removed_files is
  'Files whose row was deleted and whose bytes may remain. A row stays until its bytes are removed, so that an '
  'unreachable storage or a crash leaves none behind.';

alter table app.removed_files enable row level security;
alter table app.removed_files force row level security;
grant select, insert, delete on app.removed_files to service_role;
