-- Domain events: recording and announcing them.
create or replace function app.gather_payloads(p_former jsonb, p_added jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(k.name,
    case
      when jsonb_typeof(p_former -> k.name) = 'array' and jsonb_typeof(p_added -> k.name) = 'array' then (
        select coalesce(jsonb_agg(distinct v.value), '[]') from jsonb_array_elements(p_former -> k.name || (p_added -> k.name)) as v (value))
      else coalesce(p_added -> k.name, p_former -> k.name)
    end), '{}')
  from jsonb_object_keys(p_former || p_added) as k (name)
$$;
comment on function app.gather_payloads(jsonb, jsonb) is
  'The payload of two events that are one: lists are joined, each value once; of anything else the later value counts.';

create or replace function app.write_event(
  p_organization_id uuid, p_name text, p_ids uuid[], p_payload jsonb default '{}', p_announced text default 'commit',
  p_actor_user_id uuid default null
) returns void
language plpgsql set search_path = ''
-- A plan made while the table was empty would read all of it for every event later on.
set enable_seqscan = off
as $$
declare
  v_same uuid;
  v_is_first boolean;
  v_origin constant jsonb := coalesce(nullif(current_setting('app.origin', true), ''), '{}')::jsonb;
  -- The origin names the caller also where the transaction is the system's.
  v_actor_user_id constant uuid := coalesce(auth.uid(), p_actor_user_id, (v_origin ->> 'userId')::uuid);
begin
  -- Without the organisation among the conditions: a plan made while the table was empty could read all of its events.
  select (array_agg(e.id) filter (where e.organization_id = p_organization_id and e.name = p_name))[1], count(*) = 0
  into v_same, v_is_first
  from app.events e
  where e.transaction_id = pg_current_xact_id() and e.dispatched_at is null and e.occurred_at = now();
  if v_same is not null then
    update app.events e
    set ids = e.ids || array(select i.id from unnest(p_ids) as i (id) where i.id <> all (e.ids)),
        payload = app.gather_payloads(e.payload, p_payload),
        announced = case when p_announced = 'commit' then p_announced else e.announced end,
        actor_user_id = coalesce(e.actor_user_id, p_actor_user_id),
        actor_kind = case when e.actor_kind = 'system' and p_actor_user_id is not null then 'user' else e.actor_kind end
    where e.organization_id = p_organization_id and e.id = v_same;
    return;
  end if;
  insert into app.events (organization_id, name, ids, payload, announced, actor_kind, actor_user_id, actor_name, request_id,
    ip, user_agent, cause, impersonation_id)
  values (p_organization_id, p_name, p_ids, p_payload, p_announced,
    case
      when auth.jwt() ->> 'role' = 'earshot_api_key' then 'api_key'
      when auth.jwt() ->> 'role' = 'earshot_integration' then 'integration'
      when v_origin ->> 'kind' in ('superadmin', 'api_key') then v_origin ->> 'kind'
      -- A job that ends what a key began.
      when auth.uid() is null and p_actor_user_id is not null and exists (
        select from public.api_keys k where k.organization_id = p_organization_id and k.id = p_actor_user_id)
      then 'api_key'
      when v_actor_user_id is not null then 'user'
      when v_origin ->> 'kind' = 'visitor' then 'visitor'
      else 'system'
    end,
    v_actor_user_id,
    coalesce(
      (select left(app.name_agent(v_origin ->> 'agent', coalesce(nullif(p.full_name, ''), p.email)), 254)
       from public.profiles p where p.user_id = v_actor_user_id and v_origin ->> 'impersonatorId' is null),
      (select left(coalesce(nullif(p.full_name, ''), p.email), 110) || ', by superadmin '
         || coalesce((
           select left(coalesce(nullif(s.full_name, ''), s.email), 110) from public.profiles s
           where s.user_id = (v_origin ->> 'impersonatorId')::uuid), 'unknown')
       from public.profiles p where p.user_id = v_actor_user_id and v_origin ->> 'impersonatorId' is not null),
      case when auth.jwt() ->> 'role' = 'earshot_integration' then (
        select i.name from public.integrations i where i.organization_id = p_organization_id and i.id = v_actor_user_id) end),
    v_origin ->> 'requestId', (v_origin ->> 'ip')::inet, v_origin ->> 'userAgent', v_origin ->> 'job',
    (v_origin ->> 'impersonationId')::uuid);
  -- Without a key: jobs of one key are one row, at which all recording transactions would wait for each other.
  -- Who announces at dispatch asks for it after the commit, for many transactions at once.
  if v_is_first and p_announced <> 'dispatch' then
    perform app.enqueue_job('dispatch_events', '{}');
  end if;
end
$$;
comment on function app.write_event(uuid, text, uuid[], jsonb, text, uuid) is
  'Records an event, for functions and triggers of ours. Checks no membership: app.record_event does.';

create or replace function app.record_event(
  p_organization_id uuid, p_name text, p_ids uuid[], p_payload jsonb default '{}', p_announced text default 'commit',
  p_actor_user_id uuid default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- By the role, not by the lack of a user: a token without one must not count as the system.
  if coalesce(current_setting('role', true), '') not in ('service_role', 'none')
    and p_organization_id not in (select app.visible_organization_ids())
    and p_organization_id not in (
      -- An export changes nothing: a key that reads may request one.
      select k.organization_id from app.key_projects() k where k.may_write or p_name = 'export.requested')
  then
    raise exception 'no such organisation' using errcode = 'insufficient_privilege';
  end if;
  perform app.write_event(p_organization_id, p_name, p_ids, p_payload, p_announced, p_actor_user_id);
end
$$;
comment on function app.record_event(uuid, text, uuid[], jsonb, text, uuid) is
  'Records an event in one of the caller''s organisations, within the caller''s transaction. One row per transaction, '
  'organisation and name: a second call adds to it. A signed-in caller is the actor, whatever actor is given.';
grant execute on function app.record_event(uuid, text, uuid[], jsonb, text, uuid)
  to authenticated, service_role, earshot_api_key;

create or replace function app.announce_events() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off
as $$
declare
  v_message text;
begin
  -- Every event of the transaction makes the same text, and of equal ones PostgreSQL delivers one.
  select json_build_object('organizationId', new.organization_id, 'events',
      json_agg(json_build_object('id', e.id, 'name', e.name, 'ids', e.ids) order by e.id))::text
  into v_message
  from app.events e
  where e.transaction_id = new.transaction_id and e.dispatched_at is null and e.occurred_at = new.occurred_at
    -- "is true": by an index of organisations, all of one's events would be read.
    and (e.organization_id = new.organization_id) is true and e.announced = 'commit';
  -- A NOTIFY holds less than 8,000 bytes. Above that it leaves out the ids, and each process reads the events.
  if octet_length(v_message) >= 7900 then
    select json_build_object('organizationId', new.organization_id, 'events',
        json_agg(json_build_object('id', e.id, 'name', e.name) order by e.id))::text
    into v_message
    from app.events e
    where e.transaction_id = new.transaction_id and e.dispatched_at is null and e.occurred_at = new.occurred_at
      and (e.organization_id = new.organization_id) is true and e.announced = 'commit';
  end if;
  perform pg_notify('events', v_message);
  return null;
end
$$;
comment on function app.announce_events() is
  'At commit, when events are complete: announces them to every process, all of one organisation in one message.';
drop trigger if exists announce_events on app.events;
create constraint trigger announce_events after insert or update of announced on app.events
  deferrable initially deferred for each row when (new.announced = 'commit') execute function app.announce_events();

-- Not recorded ---------------------------------------------------------------------------------------------------------

create or replace function app.send_live_message(p_organization_id uuid, p_kind text, p_ids uuid[]) returns void
language sql volatile set search_path = ''
as $$
  -- A NOTIFY holds less than 8,000 bytes, an id takes 39.
  select pg_notify('events', json_build_object(
    'organizationId', p_organization_id, 'message', json_build_object('kind', p_kind, 'ids', m.ids))::text)
  from (
    select array_agg(i.id order by i.place) as ids
    from unnest(p_ids) with ordinality as i (id, place)
    group by (i.place - 1) / 150
    union all
    select '{}' where cardinality(p_ids) = 0
  ) m
$$;
comment on function app.send_live_message(uuid, text, uuid[]) is
  'Sends a message that is not recorded to every process, at commit. Reads and writes nothing.';
grant execute on function app.send_live_message(uuid, text, uuid[])
  to authenticator, authenticated, service_role, earshot_api_key;
