-- The audit log. Rows are added and read, never changed.

create table public.audit_log (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  actor_user_id uuid,
  action text not null check (char_length(action) between 1 and 100),
  target_type text,
  target_id uuid,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
comment on table public.audit_log is
  'Who did what: sign-ins, roles, projects, exports, superadmin actions. Append only. No foreign keys: entries '
  'outlive their subjects. The nil organisation has the entries of the whole instance.';

alter table public.audit_log enable row level security;
alter table public.audit_log force row level security;
grant select, insert on public.audit_log to authenticated, service_role;
