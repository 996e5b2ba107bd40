-- Plans: what an organisation may use, room for one more, warnings.

create or replace function app.find_standing(p_status text, p_trial_ends_at timestamptz) returns text
language sql stable set search_path = ''
as $$
  select case
    when p_status = 'self_hosted' then 'self_hosted'
    when p_status in ('active', 'past_due') then 'plan'
    -- The clock decides, not the job that notes the end: nothing is open for longer because a job is late.
    when p_status = 'trialing' and p_trial_ends_at > now() then 'trial'
    else 'ended'
  end
$$;
comment on function app.find_standing(text, timestamptz) is
  'What a subscription status means now. self_hosted and trial: no limits. plan: the limits of the plan. ended: reading and '
  'export stay open; new feedback is locked, and no project or member can be added.';

create or replace function app.this_month() returns date
language sql stable set search_path = ''
as $$
  select date_trunc('month', now() at time zone 'UTC')::date
$$;
comment on function app.this_month() is 'The first day of the current month in UTC.';

create or replace function app.write_instant(p_at timestamptz) returns text
language sql stable set search_path = ''
as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
comment on function app.write_instant(timestamptz) is
  'An instant as ISO 8601 in UTC, the same in sessions of every time zone.';

create or replace function app.count_members(p_organization_id uuid) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from public.memberships m where m.organization_id = p_organization_id and m.role <> 'viewer'
$$;
comment on function app.count_members(uuid) is 'Members of an organisation that count towards its plan: all but viewers.';

create or replace function app.count_invited(p_organization_id uuid) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from public.invitations i
  where i.organization_id = p_organization_id and i.role <> 'viewer'
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
$$;
comment on function app.count_invited(uuid) is 'Open invitations that hold a place among the members of a plan.';

create or replace function app.count_projects(p_organization_id uuid) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from public.projects p
  where p.organization_id = p_organization_id and p.deleted_at is null and p.archived_at is null
$$;
comment on function app.count_projects(uuid) is 'Projects that count towards a plan: all but archived and deleted ones.';

create or replace function app.find_entitlements(p_organization_id uuid)
returns table (
  status text, standing text, trial_ends_at timestamptz, plan_id uuid, plan_key text, plan_name text,
  max_projects integer, max_members integer, max_items_per_month integer,
  projects bigint, members bigint, items bigint)
language sql stable security definer set search_path = ''
as $$
  select o.subscription_status, s.standing, o.trial_ends_at, p.id, p.key, p.name,
    case when s.standing = 'plan' then p.max_projects end,
    case when s.standing = 'plan' then p.max_members end,
    case when s.standing = 'plan' then p.max_items_per_month end,
    app.count_projects(o.id),
    app.count_members(o.id) + app.count_invited(o.id),
    coalesce(case when s.standing = 'plan' then m.counted else m.received end, 0)
  from public.organizations o
  cross join lateral (select app.find_standing(o.subscription_status, o.trial_ends_at) as standing) s
  left join public.plans p on p.id = o.subscription_plan_id
  left join public.item_months m on m.organization_id = o.id and m.month = app.this_month()
  where o.id = p_organization_id
    and (coalesce(current_setting('role', true), '') = 'service_role'
      or o.id in (select app.visible_organization_ids()))
$$;
comment on function app.find_entitlements(uuid) is
  'The standing of an organisation, the limits of its plan (null: unlimited) and what it uses of them, for its members and '
  'the system.';
grant execute on function app.find_entitlements(uuid) to authenticated, service_role;

create or replace function app.check_room(p_organization_id uuid, p_kind text, p_adding integer)
returns table (outcome text, plan_name text, max integer)
language plpgsql set search_path = ''
as $$
declare
  v_standing text;
  v_name text;
  v_max integer;
  v_used bigint;
begin
  select app.find_standing(o.subscription_status, o.trial_ends_at), p.name,
    case p_kind when 'project' then p.max_projects else p.max_members end
  into v_standing, v_name, v_max
  from public.organizations o
  left join public.plans p on p.id = o.subscription_plan_id
  -- The organisation before the lock below, which is the order of all who change members: otherwise the two would deadlock.
  where o.id = p_organization_id
  for key share of o;
  if v_standing = 'ended' then
    return query select 'plan_required', v_name, null::integer;
    return;
  elsif v_standing is distinct from 'plan' or v_max is null then
    return query select 'ok', v_name, null::integer;
    return;
  end if;
  -- One at a time for each limit of an organisation, on any server. Counting comes after, so that it sees what the one before has added.
  perform pg_advisory_xact_lock(hashtextextended(
    case p_kind when 'project' then 'projects of ' else 'members of ' end || p_organization_id, 0));
  v_used := case p_kind
    when 'project' then app.count_projects(p_organization_id)
    when 'accepted_member' then app.count_members(p_organization_id)
    else app.count_members(p_organization_id) + app.count_invited(p_organization_id)
  end;
  return query select case when v_used + p_adding > v_max then 'plan_limit_reached' else 'ok' end, v_name, v_max;
end
$$;
comment on function app.check_room(uuid, text, integer) is
  'Whether the plan has room for so many more, and who asks next waits until this transaction ends. 0: they are written '
  'already. Kinds: project; member (invitations hold a place); accepted_member (an invitation becomes a member). Outcomes: '
  'ok, plan_limit_reached, plan_required. Checks no membership.';

create or replace function app.require_room(p_organization_id uuid, p_kind text, p_adding integer)
returns table (outcome text, plan_name text, max integer)
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('role', true), '') = 'service_role'
    or p_organization_id in (select app.owned_organization_ids())
  then
    return query select * from app.check_room(p_organization_id, p_kind, p_adding);
  end if;
end
$$;
comment on function app.require_room(uuid, text, integer) is
  'As app.check_room, for owners and the system. No row for anyone else.';
grant execute on function app.require_room(uuid, text, integer) to authenticated, service_role;

-- The audit log of the instance ----------------------------------------------------------------------------------------

create or replace function app.record_plan_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_origin constant jsonb := coalesce(nullif(current_setting('app.origin', true), ''), '{}')::jsonb;
  v_user_id constant uuid := (v_origin ->> 'userId')::uuid;
  v_before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - '{id,created_at,updated_at}'::text[] end;
  v_after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - '{id,created_at,updated_at}'::text[] end;
begin
  insert into public.audit_log (organization_id, actor_kind, actor_user_id, actor_name, action, category, target_type,
    target_id, target_name, before, after, ip, user_agent, request_id, cause)
  select '00000000-0000-0000-0000-000000000000', case when v_user_id is null then 'system' else 'superadmin' end,
    v_user_id, (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.user_id = v_user_id),
    case tg_op
      when 'INSERT' then 'plan.created'
      when 'DELETE' then 'plan.deleted'
      else case when old.retired_at is null and new.retired_at is not null then 'plan.retired' else 'plan.updated' end
    end,
    'superadmin', 'plan', coalesce(new.id, old.id), coalesce(new.name, old.name),
    case when tg_op = 'UPDATE' then (select jsonb_object_agg(b.key, b.value) from jsonb_each(v_before) b
      where b.value is distinct from v_after -> b.key) else v_before end,
    case when tg_op = 'UPDATE' then (select jsonb_object_agg(a.key, a.value) from jsonb_each(v_after) a
      where a.value is distinct from v_before -> a.key) else v_after end,
    (v_origin ->> 'ip')::inet, v_origin ->> 'userAgent', v_origin ->> 'requestId', v_origin ->> 'job'
  where v_before is distinct from v_after;
  return null;
end
$$;
comment on function app.record_plan_change() is
  'Writes who changed a plan into the audit log of the instance, whichever way it was changed.';
create or replace trigger record_plan_change after insert or update or delete on public.plans
  for each row execute function app.record_plan_change();

-- Trials and warnings --------------------------------------------------------------------------------------------------

create or replace function app.set_subscription(
  p_organization_id uuid, p_status text, p_plan_id uuid, p_trial_ends_at timestamptz
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_old public.organizations;
begin
  select o.* into v_old from public.organizations o where o.id = p_organization_id for no key update;
  if not found or (v_old.subscription_status, v_old.subscription_plan_id, v_old.trial_ends_at)
    is not distinct from (p_status, p_plan_id, p_trial_ends_at)
  then
    return false;
  end if;
  update public.organizations o
  set subscription_status = p_status, subscription_plan_id = p_plan_id, trial_ends_at = p_trial_ends_at
  where o.id = p_organization_id;
  perform app.write_event(p_organization_id, 'subscription.changed', array[p_organization_id], jsonb_build_object(
    'before', jsonb_build_object('status', v_old.subscription_status,
      'plan', (select p.key from public.plans p where p.id = v_old.subscription_plan_id)),
    'after', jsonb_build_object('status', p_status, 'plan', (select p.key from public.plans p where p.id = p_plan_id))));
  if v_old.subscription_status = 'trialing' and p_status <> 'trialing' then
    perform app.write_event(p_organization_id, 'trial.ended', array[p_organization_id], jsonb_build_object('reason',
      case when p_status in ('active', 'past_due') then 'plan_chosen' when p_status = 'expired' then 'no_plan_chosen' else 'set' end));
  elsif v_old.subscription_status <> 'trialing' and p_status = 'trialing' then
    perform app.write_event(p_organization_id, 'trial.started', array[p_organization_id],
      jsonb_build_object('endsAt', app.write_instant(p_trial_ends_at)));
  end if;
  return true;
end
$$;
comment on function app.set_subscription(uuid, text, uuid, timestamptz) is
  'The only writer of the status, plan and trial of an organisation after its creation. Records what changed. False: '
  'nothing did.';
grant execute on function app.set_subscription(uuid, text, uuid, timestamptz) to service_role;

create or replace function app.end_trials(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_trial record;
  v_count integer := 0;
begin
  for v_trial in
    select o.id, o.subscription_plan_id, o.trial_ends_at from public.organizations o
    where o.subscription_status = 'trialing' and o.trial_ends_at <= now()
    order by o.id limit p_limit
    for no key update skip locked
  loop
    perform app.set_subscription(v_trial.id, 'expired', v_trial.subscription_plan_id, v_trial.trial_ends_at);
    insert into public.plan_warnings (organization_id, kind, level, period)
    values (v_trial.id, 'trial_ended', 0, app.write_instant(v_trial.trial_ends_at))
    on conflict do nothing;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function app.end_trials(integer) is
  'Notes trials whose end has passed, at most so many, and records a warning for each. No access waits for it: the clock decides that.';
grant execute on function app.end_trials(integer) to service_role;

create or replace function app.warn_of_limits(p_after uuid, p_limit integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_last uuid;
  v_warning record;
begin
  select (array_agg(page.id order by page.id desc))[1] into v_last from (
    select o.id from public.organizations o
    where o.subscription_status in ('trialing', 'active', 'past_due') and (p_after is null or o.id > p_after)
    order by o.id limit p_limit) page;
  for v_warning in
    with page as (
      select o.id, o.trial_ends_at, app.find_standing(o.subscription_status, o.trial_ends_at) as standing,
        o.subscription_plan_id
      from public.organizations o
      where o.subscription_status in ('trialing', 'active', 'past_due') and o.closed_at is null
        and (p_after is null or o.id > p_after) and o.id <= v_last
    ),
    due as (
      select page.id as organization_id, 'trial_expiring' as kind, t.level, app.write_instant(page.trial_ends_at) as period,
        null::bigint as used, null::bigint as max
      from page
      cross join lateral (
        select min(d.days)::smallint as level from unnest(array[1, 3, 7]) as d (days)
        where page.trial_ends_at <= now() + make_interval(days => d.days)) t
      where page.standing = 'trial' and t.level is not null
        -- Fewer days were warned of already.
        and not exists (
          select from public.plan_warnings w
          where w.organization_id = page.id and w.kind = 'trial_expiring' and w.period = app.write_instant(page.trial_ends_at)
            and w.level <= t.level)
      union all
      select page.id, u.kind, l.level, u.period, u.used, u.max
      from page
      join public.plans p on p.id = page.subscription_plan_id
      cross join lateral (
        select 'items' as kind, app.this_month()::text as period, p.max_items_per_month::bigint as max,
          coalesce((select m.counted from public.item_months m
            where m.organization_id = page.id and m.month = app.this_month()), 0) as used
        union all
        select 'projects', p.key, p.max_projects, app.count_projects(page.id) where p.max_projects is not null
        union all
        select 'members', p.key, p.max_members, app.count_members(page.id) + app.count_invited(page.id)
        where p.max_members is not null) u
      cross join lateral (
        select max(v.percent)::smallint as level from unnest(array[80, 90, 100]) as v (percent)
        where u.used * 100 >= u.max * v.percent) l
      where page.standing = 'plan' and l.level is not null
        and not exists (
          select from public.plan_warnings w
          where w.organization_id = page.id and w.kind = u.kind and w.period = u.period and w.level >= l.level)
    )
    insert into public.plan_warnings as w (organization_id, kind, level, period, used, max)
    select d.organization_id, d.kind, d.level, d.period, d.used, d.max from due d
    order by d.organization_id, d.kind
    -- Another process warns at the same time.
    on conflict do nothing
    returning w.*
  loop
    if v_warning.kind = 'trial_expiring' then
      perform app.write_event(v_warning.organization_id, 'trial.expiring', array[v_warning.organization_id],
        jsonb_build_object('daysLeft', v_warning.level));
    else
      perform app.write_event(v_warning.organization_id, 'plan.limit_near', array[v_warning.id],
        jsonb_build_object('warnings', jsonb_build_array(jsonb_build_object(
          'limit', v_warning.kind, 'percent', v_warning.level, 'used', v_warning.used, 'max', v_warning.max))));
    end if;
  end loop;
  return v_last;
end
$$;
comment on function app.warn_of_limits(uuid, integer) is
  'Records warnings that are due for organisations after a position, at most so many organisations: 7, 3 and 1 days before '
  'the end of a trial, and at 80, 90 and 100 % of a limit. Each once, also of processes that warn at the same time. Returns '
  'the next position; null: no organisation was left.';
grant execute on function app.warn_of_limits(uuid, integer) to service_role;

create or replace function app.list_plan_warnings(p_organization_id uuid)
returns table (kind text, level smallint, used bigint, max bigint, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  (select distinct on (w.kind) w.kind, w.level, w.used, w.max, w.created_at
  from public.organizations o
  cross join lateral (select app.find_standing(o.subscription_status, o.trial_ends_at) as standing) s
  left join public.plans p on p.id = o.subscription_plan_id
  join public.plan_warnings w on w.organization_id = o.id and case w.kind
    when 'trial_expiring' then s.standing = 'trial' and w.period = app.write_instant(o.trial_ends_at)
    -- A plan that came after the trial may have ended since.
    when 'trial_ended' then s.standing = 'ended' and o.subscription_plan_id is null
      and w.period = app.write_instant(o.trial_ends_at)
    when 'items' then s.standing = 'plan' and w.period = app.this_month()::text
    else s.standing = 'plan' and w.period = p.key
  end
  where o.id = p_organization_id and o.id in (select app.owned_organization_ids())
  order by w.kind, w.created_at desc, w.id desc)
  union all
  (select case i.error when 'authentication_required' then 'payment_action_required' else 'payment_failed' end,
    0::smallint, null, null, i.created_at
  from public.organizations o
  join public.payments i on i.organization_id = o.id and i.status = 'open' and i.error is not null
  where o.id = p_organization_id and o.subscription_status = 'past_due' and o.id in (select app.owned_organization_ids())
  order by i.created_at desc limit 1)
  union all
  select 'plan_ended', 0::smallint, null, null, max(e.ended_at)
  from public.organizations o
  join public.subscriptions e on e.organization_id = o.id
  where o.id = p_organization_id and o.subscription_plan_id is not null
    and app.find_standing(o.subscription_status, o.trial_ends_at) = 'ended'
    and o.id in (select app.owned_organization_ids())
  having max(e.ended_at) is not null
$$;
comment on function app.list_plan_warnings(uuid) is
  'What owners are told of their plan, as far as it applies: the latest warning of each kind, none of another plan, month or '
  'trial; the latest payment that failed or waits for the bank; the end of the plan.';
grant execute on function app.list_plan_warnings(uuid) to authenticated;
