-- The stored log: parts that hold its lines, and the one way in.

create or replace function app.log_part_of(p_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$ select date_bin('6 hours', p_at, '2000-01-01T00:00:00Z'::timestamptz) $$;
comment on function app.log_part_of(timestamptz) is 'When the part of app.app_logs begins that a line of this time belongs to.';
revoke execute on function app.log_part_of(timestamptz) from public;
grant execute on function app.log_part_of(timestamptz) to service_role;

create or replace function app.make_log_part(p_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_start constant timestamptz := app.log_part_of(p_at);
  v_end constant timestamptz := v_start + interval '6 hours';
  v_name constant text := 'lines_' || to_char(v_start at time zone 'UTC', 'YYYYMMDD_HH24');
begin
  if exists (select from app.log_parts where starts_at = v_start and removed_at is null) then
    return;
  end if;
  -- The same lock as app.store_log_lines: two processes may notice that it is missing.
  perform pg_advisory_xact_lock(hashtextextended('app.app_logs', 0));
  if exists (select from app.log_parts where starts_at = v_start and removed_at is null) then
    return;
  end if;
  execute format(
    'create table logs.%I (like app.app_logs including defaults, constraint own_time check (at >= %L and at < %L))',
    v_name, v_start, v_end);
  execute format('alter table logs.%I enable row level security', v_name);
  -- Attached, not created in place: that would lock out readers and writers of every part.
  execute format('alter table app.app_logs attach partition logs.%I for values from (%L) to (%L)', v_name, v_start, v_end);
  execute format('alter table logs.%I drop constraint own_time', v_name);
  insert into app.log_parts (starts_at) values (v_start)
  on conflict (starts_at) do update set removed_at = null, removed_bytes = null, is_removed_for_size = false;
end
$$;
comment on function app.make_log_part(timestamptz) is 'Makes the part of app.app_logs for this time, if it is missing.';
revoke execute on function app.make_log_part(timestamptz) from public;
grant execute on function app.make_log_part(timestamptz) to service_role;

create or replace function app.store_log_lines(
  p_process text, p_at timestamptz[], p_level smallint[], p_request_id text[], p_message text[], p_fields text[],
  p_tokens text[], p_words text[]) returns bigint
language plpgsql set search_path = ''
as $$
declare
  v_part timestamptz;
  v_last bigint;
begin
  -- Held until the commit, so that lines become visible in the order of their ids: who follows the log misses none.
  perform pg_advisory_xact_lock(hashtextextended('app.app_logs', 0));
  for v_part in select distinct app.log_part_of(a) from unnest(p_at) a loop
    perform app.make_log_part(v_part);
  end loop;
  with stored as (
    insert into app.app_logs (at, level, process, request_id, message, fields, tokens)
    select l.at, l.level, p_process, l.request_id, l.message, l.fields, l.tokens::integer[]
    from unnest(p_at, p_level, p_request_id, p_message, p_fields, p_tokens)
      with ordinality as l (at, level, request_id, message, fields, tokens, n)
    order by l.n
    returning id, at
  ), noted as (
    insert into app.log_blocks as b (part, block, from_at, to_at)
    select app.log_part_of(s.at), (s.id >> 13)::integer, min(s.at), max(s.at) from stored s group by 1, 2
    on conflict (part, block) do update
      set from_at = least(b.from_at, excluded.from_at), to_at = greatest(b.to_at, excluded.to_at)
  )
  select max(id) into v_last from stored;
  if cardinality(p_words) > 0 then
    insert into app.log_words as w (word, seen_on) select word, current_date from unnest(p_words) as word
    on conflict (word) do update set seen_on = excluded.seen_on where w.seen_on < excluded.seen_on;
  end if;
  return v_last;
end
$$;
comment on function app.store_log_lines(text, timestamptz[], smallint[], text[], text[], text[], text[], text[]) is
  'Stores lines of one process, in their order. Ids grow with the commits. Returns the last one.';
revoke execute on function app.store_log_lines(text, timestamptz[], smallint[], text[], text[], text[], text[], text[]) from public;
grant execute on function app.store_log_lines(text, timestamptz[], smallint[], text[], text[], text[], text[], text[]) to service_role;

create or replace function app.measure_log_parts()
returns table (starts_at timestamptz, bytes bigint)
language sql security definer stable set search_path = ''
as $$
  select p.starts_at, coalesce(
    pg_total_relation_size(to_regclass('logs.lines_' || to_char(p.starts_at at time zone 'UTC', 'YYYYMMDD_HH24'))), 0)
  from app.log_parts p where p.removed_at is null order by p.starts_at
$$;
comment on function app.measure_log_parts() is 'Size of each part of app.app_logs with its indexes, oldest first.';
revoke execute on function app.measure_log_parts() from public;
grant execute on function app.measure_log_parts() to service_role;

create or replace function app.remove_log_parts(p_days integer, p_max_bytes bigint)
returns table (starts_at timestamptz, bytes bigint, is_for_size boolean)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_kept bigint;
  v_part record;
begin
  -- One process at a time. The next one comes soon.
  if not pg_try_advisory_xact_lock(hashtextextended('app.remove_log_parts', 0)) then
    return;
  end if;
  -- A search that reads the oldest part is waited for this long; then the part is removed at the next call.
  perform set_config('lock_timeout', '2s', true);
  select coalesce(sum(m.bytes), 0) into v_kept from app.measure_log_parts() m;
  for v_part in select m.starts_at, m.bytes from app.measure_log_parts() m order by m.starts_at loop
    is_for_size := v_part.starts_at + interval '6 hours' > now() - make_interval(days => p_days);
    -- The part that is being written stays: the writers stop while it alone is too large.
    exit when is_for_size and (v_kept <= p_max_bytes or v_part.starts_at >= app.log_part_of(now()));
    execute format('drop table if exists logs.%I',
      'lines_' || to_char(v_part.starts_at at time zone 'UTC', 'YYYYMMDD_HH24'));
    update app.log_parts p set removed_at = now(), removed_bytes = v_part.bytes, is_removed_for_size = is_for_size
    where p.starts_at = v_part.starts_at;
    delete from app.log_blocks b where b.part = v_part.starts_at;
    v_kept := v_kept - v_part.bytes;
    starts_at := v_part.starts_at;
    bytes := v_part.bytes;
    return next;
  end loop;
  delete from app.log_parts p where p.removed_at < now() - interval '30 days';
  delete from app.log_words w where w.seen_on < current_date - p_days - 1;
  delete from app.log_writers w where w.seen_at < now() - make_interval(days => p_days + 1);
exception when lock_not_available then
  return;
end
$$;
comment on function app.remove_log_parts(integer, bigint) is
  'Removes parts of app.app_logs that are older than so many days, and the oldest ones while all are larger. Returns what it removed.';
revoke execute on function app.remove_log_parts(integer, bigint) from public;
grant execute on function app.remove_log_parts(integer, bigint) to service_role;
