-- The product's machinery: policies of the system, the doors to the job queue, rate limits.

create or replace procedure app.add_system_policies()
language plpgsql set search_path = ''
as $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid
    from pg_catalog.pg_class c
    where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace)
      and c.relkind in ('r', 'p')
      and c.relforcerowsecurity
      and not exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname = 'system')
    order by c.oid::regclass::text
  loop
    execute format('create policy system on %s to current_user, service_role using (true) with check (true)', v_table);
  end loop;
end
$$;
comment on procedure app.add_system_policies() is
  'Gives every table without one a policy that shows all rows to its owner, as whom security-definer functions run, '
  'and to service_role. A superuser''s functions need none and service_role usually bypasses row-level security; but '
  'on a managed server the login is no superuser and may grant no bypass, and forced security binds the owner too.';

create or replace function app.enqueue_job(name text, payload json, job_key text default null, run_at timestamptz default null)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform graphile_worker.add_job(
    identifier => name, payload => payload, run_at => run_at, job_key => job_key, job_key_mode => 'preserve_run_at');
end
$$;
comment on function app.enqueue_job(text, json, text, timestamptz) is
  'Adds a job to the queue within the caller''s transaction: it exists if, and only if, that transaction commits. A '
  'job with the same key that has not started yet takes the new payload.';
revoke execute on function app.enqueue_job(text, json, text, timestamptz) from authenticated;
grant execute on function app.enqueue_job(text, json, text, timestamptz) to service_role, supabase_auth_admin;

create or replace function app.enqueue_in_turn(name text, payload json, queue text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform graphile_worker.add_job(identifier => name, payload => payload, queue_name => queue);
end
$$;
comment on function app.enqueue_in_turn(text, json, text) is
  'As app.enqueue_job; of one queue''s jobs one runs at a time, so that no organisation holds up the others.';
revoke execute on function app.enqueue_in_turn(text, json, text) from authenticated;
grant execute on function app.enqueue_in_turn(text, json, text) to service_role;

create or replace function app.enqueue_own_job(p_name text, p_organization_id uuid, p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_caller constant uuid := auth.uid();
begin
  if p_name = 'write_export' and exists (
    select from public.exports e
    where e.organization_id = p_organization_id and e.id = p_id and e.created_by = v_caller and e.state = 'queued'
      and case when e.is_by_key then e.organization_id in (select k.organization_id from app.key_projects() k)
        else e.organization_id in (select app.visible_organization_ids()) end)
  then
    perform app.enqueue_in_turn(
      p_name, json_build_object('organizationId', p_organization_id, 'id', p_id), 'transfer ' || p_organization_id);
    return;
  end if;
  if p_name = 'erase_visitor' and exists (
    select from public.visitor_erasures v
    where v.organization_id = p_organization_id and v.id = p_id and v.requested_by = v_caller and v.state = 'running'
      and (v.organization_id in (select app.visible_organization_ids())
        or (v.organization_id, v.project_id) in (
          select k.organization_id, k.project_id from app.key_projects() k where k.may_write)))
  then
    perform app.enqueue_job(p_name, json_build_object('organizationId', p_organization_id, 'id', p_id));
    return;
  end if;
  if p_organization_id in (select app.visible_organization_ids()) then
    if p_name = 'change_feedback' and exists (
      select from public.feedback_operations o
      where o.organization_id = p_organization_id and o.id = p_id and o.actor_user_id = v_caller
        and o.state in ('running', 'undoing'))
    then
      perform app.enqueue_job(
        p_name,
        json_build_object('organizationId', p_organization_id, 'operationId', p_id, 'actorUserId', v_caller),
        'change_feedback:' || p_organization_id || ':' || p_id);
      return;
    end if;
  end if;
  raise exception 'no job % of the caller begins with %', p_name, p_id using errcode = 'insufficient_privilege';
end
$$;
comment on function app.enqueue_own_job(text, uuid, uuid) is
  'Adds the job that a member''s own row waits for: an export, the erasure of a visitor, a change of many items; for an '
  'API key, an export or an erasure in its project. The only way to the queue for both: payloads are made here, so that no one can name another '
  'organisation or job.';
grant execute on function app.enqueue_own_job(text, uuid, uuid) to authenticated, earshot_api_key;

-- The worker's connections are of role service_role: the queue's tables belong to the login that migrates.
-- Written for revision 20 of the job queue's schema; a test compares, so that this file runs again after an upgrade.
do $$
declare
  v_table regclass;
begin
  grant usage on schema graphile_worker to service_role;
  grant select, insert, update, delete on all tables in schema graphile_worker to service_role;
  grant usage, select on all sequences in schema graphile_worker to service_role;
  grant execute on all functions in schema graphile_worker to service_role;
  for v_table in
    select c.oid from pg_catalog.pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind = 'r' and c.relrowsecurity
      and not exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname = 'system')
  loop
    execute format('create policy system on %s to service_role using (true) with check (true)', v_table);
  end loop;
end
$$;

create or replace function app.take_token(p_name text, p_key text, p_capacity integer, p_refill_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_hash constant bytea := sha256(convert_to(p_key, 'UTF8'));
  v_refill constant interval := make_interval(secs => p_refill_ms / 1000.0);
  v_token constant interval := make_interval(secs => p_refill_ms / 1000.0 / p_capacity);
  v_full_at timestamptz;
begin
  -- Most refusals happen here, by one look at an index: without a lock and without a write.
  select r.full_at into v_full_at
  from app.rate_limits r
  where r.name = p_name and r.key_hash = v_hash;

  if not found or v_full_at + v_token <= clock_timestamp() + v_refill then
    insert into app.rate_limits as r (name, key_hash, full_at)
    values (p_name, v_hash, clock_timestamp() + v_token)
    on conflict (name, key_hash) do update set full_at = greatest(r.full_at, clock_timestamp()) + v_token
      where greatest(r.full_at, clock_timestamp()) + v_token <= clock_timestamp() + v_refill;
    if found then
      return 0;
    end if;
    -- Other requests took the last tokens while this one waited for the row.
    select r.full_at into v_full_at
    from app.rate_limits r
    where r.name = p_name and r.key_hash = v_hash;
  end if;

  -- A time beyond that of an empty bucket comes from a clock that was set back, or from a changed setting. The bucket is
  -- made an empty one, so that no request waits for longer than one token takes.
  if v_full_at > clock_timestamp() + v_refill then
    update app.rate_limits r set full_at = clock_timestamp() + v_refill
    where r.name = p_name and r.key_hash = v_hash and r.full_at > clock_timestamp() + v_refill;
    v_full_at := clock_timestamp() + v_refill;
  end if;
  return greatest(1, ceil(1000 * extract(epoch from v_full_at + v_token - v_refill - clock_timestamp()))::integer);
end
$$;
comment on function app.take_token(text, text, integer, integer) is
  'Takes one token of a bucket that holds p_capacity and fills evenly within p_refill_ms. 0: taken; else the '
  'milliseconds until the next. Of many concurrent requests, in any number of processes, exactly as many are granted '
  'as there are tokens. Granted to the powerless role, so that a request is limited in one round trip.';
grant execute on function app.take_token(text, text, integer, integer) to authenticator, supabase_auth_admin;

create or replace function app.return_token(p_name text, p_key text, p_capacity integer, p_refill_ms integer) returns void
language sql volatile security definer set search_path = ''
as $$
  update app.rate_limits r
  set full_at = r.full_at - make_interval(secs => p_refill_ms / 1000.0 / p_capacity)
  where r.name = p_name and r.key_hash = sha256(convert_to(p_key, 'UTF8'))
$$;
comment on function app.return_token(text, text, integer, integer) is
  'Puts a token that app.take_token took back into its bucket.';
grant execute on function app.return_token(text, text, integer, integer) to authenticator;

create or replace function app.spend_tokens(
  p_name text, p_capacity integer, p_refill_ms integer, p_keys text[], p_counts integer[])
returns table (key text, level double precision)
language sql volatile security definer set search_path = ''
as $$
  with spent as materialized (
    select s.key, s.count, sha256(convert_to(s.key, 'UTF8')) as key_hash
    from unnest(p_keys, p_counts) as s (key, count)
  ),
  settled as (
    insert into app.rate_limits as r (name, key_hash, full_at)
    select p_name, s.key_hash, now() + make_interval(secs => p_refill_ms / 1000.0 * s.count / p_capacity)
    from spent s
    -- One order for all processes, so that none waits for another in a circle.
    order by s.key_hash
    on conflict (name, key_hash) do update set full_at = least(
      greatest(r.full_at, now()) + (excluded.full_at - now()),
      -- No debt is longer than half of the capacity, also after a clock was set back.
      now() + make_interval(secs => p_refill_ms / 1000.0 * 1.5))
    returning r.key_hash, r.full_at
  )
  select s.key, p_capacity - extract(epoch from t.full_at - now())::double precision * p_capacity / (p_refill_ms / 1000.0)
  from spent s
  join settled t on t.key_hash = s.key_hash
$$;
comment on function app.spend_tokens(text, integer, integer, text[], integer[]) is
  'Takes tokens that a process has granted already, of many buckets of one limit. Returns the level of each; below zero: '
  'more was granted than there was, and the refill repays that debt before more is granted.';
grant execute on function app.spend_tokens(text, integer, integer, text[], integer[]) to authenticator;

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists instance_settings_service on app.instance_settings;
create policy instance_settings_service on app.instance_settings to service_role using (only_row) with check (only_row);

drop policy if exists job_workers_service on app.job_workers;
create policy job_workers_service on app.job_workers to service_role using (worker_id <> '') with check (worker_id <> '');

-- Migrations have run by now, and this file runs again after each: a new table needs no call of its own.
call app.add_system_policies();
