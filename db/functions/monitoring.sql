-- What only the owner of the database may see of it, for monitoring and doctor.

create or replace function app.list_running_queries(p_seconds double precision)
returns table (query text, running_ms double precision)
language sql security definer stable set search_path = ''
as $$
  select left(a.query, 500), extract(epoch from clock_timestamp() - a.query_start) * 1000
  from pg_catalog.pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state = 'active'
    and a.backend_type = 'client backend'
    and a.query_start < clock_timestamp() - make_interval(secs => p_seconds)
  order by a.query_start
$$;
comment on function app.list_running_queries(double precision) is
  'Queries that run for longer than so many seconds now, the oldest first. Sessions of other logins are left out unless '
  'the owner may see them.';
revoke execute on function app.list_running_queries(double precision) from public;
grant execute on function app.list_running_queries(double precision) to service_role;

create or replace function app.list_slow_statements(p_min_ms double precision, p_limit integer)
returns table (query text, calls bigint, mean_ms double precision, max_ms double precision)
language plpgsql security definer stable set search_path = ''
as $$
declare
  v_schema text;
begin
  select n.nspname into v_schema
  from pg_catalog.pg_extension e
  join pg_catalog.pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements';
  if v_schema is null then
    return;
  end if;
  return query execute format(
    'select left(s.query, 500), s.calls, s.mean_exec_time, s.max_exec_time
     from %I.pg_stat_statements s
     join pg_catalog.pg_database d on d.oid = s.dbid
     where d.datname = current_database() and s.mean_exec_time >= $1
     order by s.mean_exec_time desc limit $2', v_schema)
  using p_min_ms, p_limit;
exception when object_not_in_prerequisite_state then
  -- The extension exists and the server did not load its library.
  return;
end
$$;
comment on function app.list_slow_statements(double precision, integer) is
  'Statements whose mean time is at least so many milliseconds, slowest first. None without pg_stat_statements.';
revoke execute on function app.list_slow_statements(double precision, integer) from public;
grant execute on function app.list_slow_statements(double precision, integer) to service_role;

create or replace function app.list_schema_files() returns table (name text, checksum text, is_finished boolean)
language sql security definer stable set search_path = ''
as $$
  select m.name, m.checksum, m.finished_at is not null from app.schema_migrations m
$$;
comment on function app.list_schema_files() is 'Migrations and function files that have run on this database.';
revoke execute on function app.list_schema_files() from public;
grant execute on function app.list_schema_files() to service_role;
