-- Whose items an exported file contains, so that erasing a visitor deletes those exports and no others.

create table app.export_subjects (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  export_id uuid not null,
  subjects bigint[] not null,
  primary key (organization_id, id),
  foreign key (organization_id, export_id) references public.exports (organization_id, id) on delete cascade
);
comment on table app.export_subjects is
  'Visitors whose items an export contains, a part of the list per row. Deleted with the export.';
comment on column app.export_subjects.subjects is
  'First 64 bits of SHA-256 of the organisation''s id and a visitor''s id or address: 8 bytes per visitor, and no name.';
create index export_subjects_export_idx on app.export_subjects (organization_id, export_id);

alter table app.export_subjects enable row level security;
alter table app.export_subjects force row level security;
grant select, insert, delete on app.export_subjects to service_role;

alter table public.exports add column lists_subjects boolean not null default false;
comment on column public.exports.lists_subjects is
  'Whether app.export_subjects lists the export''s visitors; false: written before that table existed.';
