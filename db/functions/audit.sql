-- The audit log.

create or replace function app.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and (
    old.created_at < now() - make_interval(days => (select s.audit_retention_days from app.instance_settings s))
    -- The entries of an organisation are deleted with it.
    or exists (select from public.organizations o where o.id = old.organization_id and o.delete_after <= now()))
  then
    return old;
  end if;
  raise exception 'The audit log is append only.' using errcode = 'insufficient_privilege';
end
$$;
comment on function app.keep_audit_log() is
  'Refuses every change of the audit log, also to its owner, except the deletion of entries older than the retention and '
  'of those of an organisation that is being deleted.';
create or replace trigger audit_log_keep before update or delete on public.audit_log
  for each row execute function app.keep_audit_log();
create or replace trigger audit_log_keep_all before truncate on public.audit_log
  for each statement execute function app.keep_audit_log();
drop trigger if exists audit_log_refuse_change on public.audit_log;
drop function if exists app.refuse_change();

create or replace function app.prune_audit_log(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_deleted integer;
begin
  delete from public.audit_log a using (
    select o.organization_id, o.id from public.audit_log o
    where o.created_at < now() - make_interval(
      days => (select s.audit_retention_days from app.instance_settings s))
    limit p_limit for update skip locked) old
  where a.organization_id = old.organization_id and a.id = old.id;
  get diagnostics v_deleted = row_count;
  return v_deleted;
end
$$;
comment on function app.prune_audit_log(integer) is
  'Deletes entries older than the retention, at most so many. The only way to delete entries of an organisation that stays.';
grant execute on function app.prune_audit_log(integer) to service_role;

create or replace function app.record_account_event(
  p_user_id uuid, p_name text, p_payload jsonb default '{}', p_actor_user_id uuid default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization_id uuid;
begin
  for v_organization_id in
    select m.organization_id from public.memberships m where m.user_id = p_user_id order by m.organization_id
  loop
    perform app.write_event(v_organization_id, p_name, array[p_user_id], p_payload, 'never', p_actor_user_id);
  end loop;
end
$$;
comment on function app.record_account_event(uuid, text, jsonb, uuid) is
  'Records an event of someone''s account in each organisation of which they are a member now (decision 019).';
grant execute on function app.record_account_event(uuid, text, jsonb, uuid) to supabase_auth_admin;

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists audit_log_select on public.audit_log;
create policy audit_log_select on public.audit_log for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists audit_log_insert on public.audit_log;
