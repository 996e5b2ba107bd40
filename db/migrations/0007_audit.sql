-- What was done to an organisation, by whom. Rows are added and read, never changed.

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
  'Who did what: sign-ins, roles, projects, exports, superadmin acts. Append only. No foreign keys: it outlives what it '
  'names. The nil organisation holds what concerns the whole instance.';

create function app.refuse_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The audit log is append only.' using errcode = 'insufficient_privilege';
end
$$;
comment on function app.refuse_change() is 'Refuses every change: for tables that are only added to.';
create trigger audit_log_refuse_change before update or delete on public.audit_log
  for each row execute function app.refuse_change();

alter table public.audit_log enable row level security;
alter table public.audit_log force row level security;
create policy audit_log_select on public.audit_log for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
create policy audit_log_insert on public.audit_log for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and actor_user_id = auth.uid());
grant select, insert on public.audit_log to authenticated, service_role;
