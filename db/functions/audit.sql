-- The audit log.

create or replace function app.refuse_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The audit log is append only.' using errcode = 'insufficient_privilege';
end
$$;
comment on function app.refuse_change() is 'Refuses every change, for append-only tables.';
create or replace trigger audit_log_refuse_change before update or delete on public.audit_log
  for each row execute function app.refuse_change();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists audit_log_select on public.audit_log;
create policy audit_log_select on public.audit_log for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists audit_log_insert on public.audit_log;
create policy audit_log_insert on public.audit_log for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and actor_user_id = auth.uid());
