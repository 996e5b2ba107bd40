-- Deleting an organisation: closed at once, restored within the grace, then removed a batch at a time.

create or replace function app.is_open_organization(p_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.organizations o where o.id = p_id and o.closed_at is null and o.suspended_at is null)
$$;
comment on function app.is_open_organization(uuid) is
  'Whether the organisation exists and is neither closed nor suspended. For public links and everything else that stops '
  'meanwhile.';
grant execute on function app.is_open_organization(uuid) to service_role;

create or replace function app.may_delete_organization(p_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Not by app.owned_organization_ids, which leaves out closed organisations.
  select app.is_usable_account(auth.uid()) and (
    exists (
      select from public.memberships m
      where m.organization_id = p_id and m.user_id = auth.uid() and m.role = 'owner')
    or exists (select from app.superadmins s where s.user_id = auth.uid()))
$$;
comment on function app.may_delete_organization(uuid) is
  'Whether the caller may delete and restore the organisation, whether open or closed.';

create or replace function app.may_restore_organization(p_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select app.may_delete_organization(p_id) and (
    exists (select from public.organizations o where o.id = p_id and o.suspended_at is null)
    or exists (select from app.superadmins s where s.user_id = auth.uid()))
$$;
comment on function app.may_restore_organization(uuid) is
  'Whether the caller may restore the organisation: an owner, unless it is suspended, or a superadmin.';

create or replace function app.close_open_organization(p_id uuid, p_grace interval, p_by uuid) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  v_delete_after timestamptz;
begin
  update public.organizations o
  set closed_at = now(), closed_by = p_by, delete_after = now() + p_grace
  where o.id = p_id and o.closed_at is null
  returning o.delete_after into v_delete_after;
  if found then
    perform app.write_event(p_id, 'organization.deletion_requested', array[p_id],
      jsonb_build_object('deleteAfter', app.write_instant(v_delete_after)));
  end if;
  return v_delete_after;
end
$$;
comment on function app.close_open_organization(uuid, interval, uuid) is
  'Closes an organisation for everyone, sets when it is removed, and returns that time. Null: it is closed already, or '
  'unknown. Checks no right.';
grant execute on function app.close_open_organization(uuid, interval, uuid) to service_role;

create or replace function app.close_organization(p_id uuid, p_name text, p_grace interval)
returns table (outcome text, name text, delete_after timestamptz)
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization public.organizations;
begin
  select o.* into v_organization from public.organizations o where o.id = p_id for update;
  if not found or not app.may_delete_organization(p_id) then
    return query select 'unknown', null::text, null::timestamptz;
  elsif trim(p_name) <> trim(v_organization.name) then
    return query select 'other_name', null::text, null::timestamptz;
  elsif v_organization.closed_at is not null then
    -- A retry: the time of the first request counts.
    return query select 'repeated', v_organization.name, v_organization.delete_after;
  else
    return query select 'closed', v_organization.name, app.close_open_organization(p_id, p_grace, auth.uid());
  end if;
end
$$;
comment on function app.close_organization(uuid, text, interval) is
  'Closes an organisation for everyone and sets when it is removed. For owners, who type its name. Outcomes: closed, '
  'repeated (it was closed before), other_name, unknown.';
grant execute on function app.close_organization(uuid, text, interval) to authenticated;

create or replace function app.queue_closing_emails(p_id uuid, p_kind text, p_subject text, p_html text, p_text text)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not app.may_delete_organization(p_id) or not exists (
    -- In the transaction that closes it.
    select from public.organizations o where o.id = p_id and o.closed_at = now() and o.closed_by = auth.uid())
  then
    raise exception 'This organisation was not closed by the caller.' using errcode = 'insufficient_privilege';
  end if;
  perform app.queue_email(app.uuid_v7(), p_kind, p.email, p_subject, p_html, p_text)
  from public.memberships m
  join public.profiles p on p.user_id = m.user_id
  where m.organization_id = p_id and m.role = 'owner';
end
$$;
comment on function app.queue_closing_emails(uuid, text, text, text, text) is
  'Queues the email to every owner, in the transaction that closes the organisation.';
grant execute on function app.queue_closing_emails(uuid, text, text, text, text) to authenticated;

create or replace function app.restore_organization(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization public.organizations;
begin
  select o.* into v_organization from public.organizations o where o.id = p_id for update;
  if not found or not app.may_restore_organization(p_id) then
    return false;
  elsif v_organization.closed_at is null then
    return true;
  -- The clock, not the transaction's time: removal may have begun while this waited for the lock.
  elsif v_organization.delete_after <= clock_timestamp() then
    return false;
  end if;
  update public.organizations o set closed_at = null, closed_by = null, delete_after = null where o.id = p_id;
  perform app.write_event(p_id, 'organization.restored', array[p_id], '{}', 'never');
  return true;
end
$$;
comment on function app.restore_organization(uuid) is
  'Opens a closed organisation again, with everything in it. For owners, and superadmins where it is suspended. False: unknown, or the grace is over.';
grant execute on function app.restore_organization(uuid) to authenticated;

drop function if exists app.find_organization_deletion(uuid);
create or replace function app.find_organization_deletion(p_id uuid)
returns table (
  name text, closed_at timestamptz, delete_after timestamptz, closed_by_name text, can_restore boolean,
  is_suspended boolean, owners jsonb)
language sql stable security definer set search_path = ''
as $$
  select o.name, o.closed_at, o.delete_after,
    (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.user_id = o.closed_by),
    app.may_restore_organization(o.id) and o.delete_after > now(),
    o.suspended_at is not null,
    (select coalesce(jsonb_agg(w.owner order by w.place), '[]') from (
      select jsonb_build_object('name', coalesce(nullif(p.full_name, ''), p.email), 'email', p.email) as owner,
        row_number() over (order by m.joined_at, m.user_id) as place
      from public.memberships m
      join public.profiles p on p.user_id = m.user_id
      where m.organization_id = o.id and m.role = 'owner'
      order by m.joined_at, m.user_id
      limit 20) w)
  from public.organizations o
  where o.id = p_id and o.closed_at is not null and (
    exists (select from public.memberships m where m.organization_id = p_id and m.user_id = auth.uid())
    or app.may_delete_organization(p_id))
$$;
comment on function app.find_organization_deletion(uuid) is
  'What members of a closed organisation may know: when it is removed, and the owners who can restore it.';
grant execute on function app.find_organization_deletion(uuid) to authenticated;

-- The widgets of a closed organisation are drawn and sent to nowhere. -----------------------------------------------
create or replace function app.on_organization_closing() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('widget_changed', w.key) from public.widgets w where w.organization_id = new.id;
  perform pg_notify('api_key_changed', encode(k.hash, 'hex')) from public.api_keys k where k.organization_id = new.id;
  return null;
end
$$;
comment on function app.on_organization_closing() is
  'Tells every server to drop the organisation''s widgets and API keys from its memory, when it is closed, restored, '
  'suspended, or its suspension is lifted.';
create or replace trigger on_organization_closing after update of closed_at, suspended_at on public.organizations
  for each row when (
    (old.closed_at is null, old.suspended_at is null) is distinct from (new.closed_at is null, new.suspended_at is null))
  execute function app.on_organization_closing();

-- Removal ------------------------------------------------------------------------------------------------------------
create or replace function app.remove_organization_rows(p_id uuid, p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_table regclass;
  v_left integer := p_limit;
  v_count integer;
begin
  -- Held until the batch ends: a restore waits, and then finds the grace over.
  perform from public.organizations o where o.id = p_id and o.delete_after <= clock_timestamp() for share;
  if not found then
    return null;
  end if;
  -- Items first, because they take along what belongs to them. Then rows to which none refer, so that no cascade is
  -- larger than a batch. From the catalogue: no table can be forgotten.
  for v_table in
    select c.oid::regclass
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and c.relkind in ('r', 'p') and not c.relispartition
    order by
      case
        when c.oid = 'public.feedback'::regclass then 0
        when c.oid = 'public.projects'::regclass then 3
        when exists (
          select from pg_catalog.pg_constraint k where k.contype = 'f' and k.confrelid = c.oid and k.conrelid <> c.oid) then 2
        else 1
      end,
      c.oid
  loop
    execute format(
      'delete from %1$s t where t.organization_id = $1 and t.ctid = any (array(
         select d.ctid from %1$s d where d.organization_id = $1 limit $2))', v_table)
      using p_id, v_left;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
  return p_limit - v_left;
end
$$;
comment on function app.remove_organization_rows(uuid, integer) is
  'Deletes at most so many rows of an organisation whose grace is over, from every table that has an organization_id. '
  'Fewer than asked: none is left. Null: it is not to be removed.';
grant execute on function app.remove_organization_rows(uuid, integer) to service_role;

create or replace function app.finish_organization_removal(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization public.organizations;
begin
  select o.* into v_organization from public.organizations o where o.id = p_id and o.delete_after <= clock_timestamp() for update;
  if not found then
    return false;
  end if;
  delete from app.events e where e.organization_id = p_id;
  delete from public.audit_log l where l.organization_id = p_id;
  delete from public.organizations o where o.id = p_id;
  -- Only the id remains, and who decided it. The event is deleted after 30 days, as all are.
  insert into public.audit_log (organization_id, actor_kind, actor_user_id, action, category, target_type, target_id)
  values ('00000000-0000-0000-0000-000000000000', 'user', v_organization.closed_by, 'organization.deleted', 'organization',
    'organization', p_id);
  perform app.write_event(p_id, 'organization.deleted', array[p_id], '{}', 'never', v_organization.closed_by);
  return true;
end
$$;
comment on function app.finish_organization_removal(uuid) is
  'Deletes the organisation itself, after its rows. False: it is gone already, or was restored.';
grant execute on function app.finish_organization_removal(uuid) to service_role;
