-- Locked feedback: what is over the limit of a plan, and how it is unlocked (decision 023).

create or replace function app.hold_item_room(p_organization_id uuid) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_standing text;
  v_is_suspended boolean;
  v_plan_id uuid;
  v_max integer;
  v_counted bigint;
begin
  -- A change of the plan waits for what is stored under the former one: its job then finds all that was locked. So does the
  -- end of a suspension.
  select app.find_standing(o.subscription_status, o.trial_ends_at), o.subscription_plan_id, o.suspended_at is not null
  into v_standing, v_plan_id, v_is_suspended
  from public.organizations o
  where o.id = p_organization_id
  for share;
  if v_standing = 'ended' or v_is_suspended then
    return 0;
  elsif v_standing is distinct from 'plan' then
    return null;
  end if;
  select p.max_items_per_month into v_max from public.plans p where p.id = v_plan_id for share;
  if v_max is null then
    return null;
  end if;
  insert into public.item_months (organization_id, month) values (p_organization_id, app.this_month())
  on conflict do nothing;
  select m.counted into v_counted from public.item_months m
  where m.organization_id = p_organization_id and m.month = app.this_month()
  for no key update;
  return greatest(v_max - v_counted, 0);
end
$$;
comment on function app.hold_item_room(uuid) is
  'How many more items of this month the organisation can read; null: unlimited. Who asks next waits until this '
  'transaction ends, so that the limit is exact.';

create or replace function app.is_ended(p_organization_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.organizations o
    where o.id = p_organization_id
      and (o.suspended_at is not null or app.find_standing(o.subscription_status, o.trial_ends_at) = 'ended'))
$$;
comment on function app.is_ended(uuid) is 'Whether the organisation''s trial or plan has ended, or it is suspended.';

create or replace function app.count_items(
  p_organization_id uuid, p_month date, p_received bigint, p_readable bigint
) returns void
-- In a language whose plans are kept: ingest calls it for each batch.
language plpgsql set search_path = ''
as $$
begin
  insert into public.item_months as m (organization_id, month, received, counted)
  values (p_organization_id, p_month, p_received, p_readable)
  on conflict (organization_id, month)
  do update set received = m.received + excluded.received, counted = m.counted + excluded.counted;
end
$$;
comment on function app.count_items(uuid, date, bigint, bigint) is
  'Adds items to a month of an organisation: all that arrived, and those that use up its plan.';

create or replace function app.unlock_feedback(p_organization_id uuid, p_limit integer) returns integer
language plpgsql security definer set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_standing text;
  v_max integer;
  v_ids uuid[];
  v_created uuid[];
  v_imported uuid[];
begin
  -- One at a time: a job that was thought dead may still run.
  perform pg_advisory_xact_lock(hashtextextended('unlocking ' || p_organization_id, 0));
  -- As ingest locks them, which waits, so that no item takes a place that is given away here.
  perform from public.item_months m
  where m.organization_id = p_organization_id order by m.month
  for no key update;
  select app.find_standing(o.subscription_status, o.trial_ends_at), p.max_items_per_month
  into v_standing, v_max
  from public.organizations o
  left join public.plans p on p.id = o.subscription_plan_id
  where o.id = p_organization_id and o.suspended_at is null;
  if v_standing is null or v_standing = 'ended' then
    return 0;
  elsif v_standing = 'plan' and v_max is not null then
    -- Each month up to the limit of one, its oldest items first.
    select array_agg(n.id) into v_ids from (
      select due.id
      from (select distinct l.month from app.locked_feedback l where l.organization_id = p_organization_id) months
      left join public.item_months m on m.organization_id = p_organization_id and m.month = months.month
      cross join lateral (
        select l.id from app.locked_feedback l
        where l.organization_id = p_organization_id and l.month = months.month
        order by l.arrived_at, l.id
        limit greatest(v_max - coalesce(m.counted, 0), 0)) due
      order by months.month
      limit p_limit) n;
  else
    select array_agg(n.id) into v_ids from (
      select l.id from app.locked_feedback l where l.organization_id = p_organization_id
      order by l.month, l.arrived_at, l.id limit p_limit) n;
  end if;
  if v_ids is null then
    return 0;
  end if;

  -- In the order in which every writer locks items.
  perform from public.feedback f
  where f.organization_id = p_organization_id and f.id = any (v_ids) order by f.id
  for no key update;

  with content as (
    select l.id as item_id, c.*
    from app.locked_feedback l
    cross join lateral jsonb_populate_record(null::app.submission, l.content - 'id') as c
    where l.organization_id = p_organization_id and l.id = any (v_ids)
  )
  update public.feedback f set
    locked = false,
    unlocked_at = now(),
    message = coalesce(c.message, ''),
    rating = c.rating,
    nps = c.nps,
    fields = coalesce(c.fields, '{}'),
    consent = c.consent,
    -- Members may have tagged it meanwhile.
    tags = (app.change_tags(coalesce(c.tags, '{}'), f.tags, '{}'))[1:20],
    visitor_email = c.visitor_email,
    visitor_name = c.visitor_name,
    visitor_id = c.visitor_id,
    visitor_verified = coalesce(c.visitor_verified, false),
    page_url = coalesce(c.page_url, ''),
    page_title = c.page_title,
    context = coalesce(c.context, '{}'),
    metadata = coalesce(c.metadata, '{}'),
    media_kinds = array(
      select distinct a.kind from json_array_elements(coalesce(c.attachments, '[]')) as e (file)
      cross join lateral (select e.file ->> 'kind' as kind) a)
  from content c
  where f.organization_id = p_organization_id and f.id = c.item_id;

  insert into public.feedback_attachments (organization_id, id, feedback_id, kind, name, position, duration_ms, missing)
  select p_organization_id, a.id, l.id, a.kind, a.name, a.position - 1, a.duration_ms, coalesce(a.missing, '{}')
  from app.locked_feedback l
  cross join lateral rows from (
    jsonb_to_recordset(case jsonb_typeof(l.content -> 'attachments') when 'array' then l.content -> 'attachments' else '[]' end)
      as (id uuid, kind text, name text, duration_ms integer, missing text[])
  ) with ordinality as a (id, kind, name, duration_ms, missing, position)
  where l.organization_id = p_organization_id and l.id = any (v_ids)
  on conflict (organization_id, id) do nothing;

  if v_standing = 'plan' then
    insert into public.item_months as m (organization_id, month, counted)
    select p_organization_id, l.month, count(*)
    from app.locked_feedback l
    join public.feedback f on f.organization_id = l.organization_id and f.id = l.id and f.spam_reason is null
    where l.organization_id = p_organization_id and l.id = any (v_ids)
    group by l.month
    on conflict (organization_id, month) do update set counted = m.counted + excluded.counted;
  end if;
  delete from app.locked_feedback l where l.organization_id = p_organization_id and l.id = any (v_ids);

  -- Told now as they would have been told on arrival.
  select array_agg(f.id) filter (where f.source <> 'import'), array_agg(f.id) filter (where f.source = 'import')
  into v_created, v_imported
  from public.feedback f where f.organization_id = p_organization_id and f.id = any (v_ids);
  if v_created is not null then
    perform app.write_event(p_organization_id, 'feedback.created', v_created);
  end if;
  if v_imported is not null then
    perform app.write_event(p_organization_id, 'feedback.imported', v_imported, '{}', 'never');
  end if;
  return cardinality(v_ids);
end
$$;
comment on function app.unlock_feedback(uuid, integer) is
  'Unlocks items that the organisation''s trial or plan allows it to read, at most so many: their content moves back, and '
  'they are announced as new. Returns how many; 0: none is left to unlock. Safe to repeat.';
grant execute on function app.unlock_feedback(uuid, integer) to service_role;

create or replace function app.find_locked_excerpt(p_organization_id uuid, p_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select left(l.content ->> 'message', 280) from app.locked_feedback l
  where l.organization_id = p_organization_id and l.id = p_id
$$;
comment on function app.find_locked_excerpt(uuid, uuid) is
  'The beginning of a locked item, for the visitor who sent it and for no one else.';
grant execute on function app.find_locked_excerpt(uuid, uuid) to service_role;

create or replace function app.list_locked_of(p_organization_id uuid, p_keys text[], p_only_verified boolean)
returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select l.id from app.locked_feedback l
  where l.organization_id = p_organization_id
    and (l.content ->> 'visitor_id' = any (p_keys)
      or not p_only_verified and lower(l.content ->> 'visitor_email') = any (array(select lower(k.key) from unnest(p_keys) as k (key))))
    and (not p_only_verified or (l.content ->> 'visitor_verified')::boolean)
$$;
comment on function app.list_locked_of(uuid, text[], boolean) is
  'Locked items that carry one of these keys as id or address: erasures remove them too. Only verified: those of visitors '
  'for whom the site vouched, by id alone.';
grant execute on function app.list_locked_of(uuid, text[], boolean) to service_role;

create or replace function app.on_locked_files_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.uploads u using gone g
  where u.organization_id = g.organization_id and u.id = g.id
    -- Unlocked: the item has them.
    and not exists (
      select from public.feedback_attachments a where a.organization_id = g.organization_id and a.id = g.id);
  return null;
end
$$;
comment on function app.on_locked_files_deleted() is 'Deletes the files of a locked item with it.';
create or replace trigger on_locked_files_deleted after delete on app.locked_files
  referencing old table as gone
  for each statement execute function app.on_locked_files_deleted();

-- When to unlock ---------------------------------------------------------------------------------------------------------

create or replace function app.enqueue_unlocking(p_organization_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from app.locked_feedback l where l.organization_id = p_organization_id) then
    perform app.enqueue_job('unlock_feedback', json_build_object('organizationId', p_organization_id),
      'unlock_feedback:' || p_organization_id);
  end if;
end
$$;
comment on function app.enqueue_unlocking(uuid) is 'Enqueues the job that unlocks feedback, where any is locked.';

create or replace function app.on_subscription_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.enqueue_unlocking(new.id);
  return null;
end
$$;
comment on function app.on_subscription_changed() is
  'Unlocks feedback after a change of status, plan or trial, and after a suspension.';
create or replace trigger on_subscription_changed
  after update of subscription_status, subscription_plan_id, trial_ends_at, suspended_at on public.organizations
  for each row when (
    (old.subscription_status, old.subscription_plan_id, old.trial_ends_at, old.suspended_at)
    is distinct from (new.subscription_status, new.subscription_plan_id, new.trial_ends_at, new.suspended_at))
  execute function app.on_subscription_changed();

create or replace function app.on_plan_limit_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.enqueue_unlocking(o.id) from public.organizations o where o.subscription_plan_id = new.id;
  return null;
end
$$;
comment on function app.on_plan_limit_changed() is 'Unlocks feedback of all organisations whose plan has another limit of items.';
create or replace trigger on_plan_limit_changed after update of max_items_per_month on public.plans
  for each row when (old.max_items_per_month is distinct from new.max_items_per_month)
  execute function app.on_plan_limit_changed();
