-- The product's own machinery in schema `app`, which no API exposes: helpers for policies, settings of the instance,
-- and the doors through which a powerless role may enqueue a job.

create schema if not exists app;
comment on schema app is 'The product''s internals. Exposed by no API; the roles below reach single functions of it.';
grant usage on schema app to authenticator, anon, authenticated, service_role, supabase_auth_admin;

-- PostgreSQL lets everyone execute a new function. Here nobody may until it is said so.
alter default privileges revoke execute on functions from public;

create extension if not exists btree_gin;

create function app.uuid_v7() returns uuid
language sql volatile parallel safe set search_path = ''
as $$
  -- RFC 9562, section 5.7: 48 bits of milliseconds, version 7, and random bits. (PostgreSQL 18 has uuidv7(); 15 has not.)
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6),
        52, 1),
      53, 1),
    'hex')::uuid
$$;
comment on function app.uuid_v7() is 'A new UUID, version 7: sorts by the time it was made.';
grant execute on function app.uuid_v7() to authenticated, service_role, supabase_auth_admin;

create table app.instance_settings (
  only_row boolean primary key default true check (only_row),
  billing_enabled boolean not null default false,
  superadmin_emails text[] not null default '{}'
);
comment on table app.instance_settings is 'What triggers must know of the configuration. One row, written at every start.';
comment on column app.instance_settings.billing_enabled is 'Whether a new organisation starts a trial. If not, it is self_hosted: no limits.';
comment on column app.instance_settings.superadmin_emails is 'Lower-case addresses that become superadmins when confirmed.';
insert into app.instance_settings default values;
alter table app.instance_settings enable row level security;
alter table app.instance_settings force row level security;
create policy instance_settings_service on app.instance_settings to service_role using (only_row) with check (only_row);
grant select, update on app.instance_settings to service_role;

create table app.job_workers (
  worker_id text primary key,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
comment on table app.job_workers is
  'Heartbeats of the processes that run jobs. A worker not seen for a minute is dead, and its jobs are given to others.';
alter table app.job_workers enable row level security;
alter table app.job_workers force row level security;
create policy job_workers_service on app.job_workers to service_role using (worker_id <> '') with check (worker_id <> '');
grant select, insert, update, delete on app.job_workers to service_role;

create function app.enqueue_job(name text, payload json, job_key text default null, run_at timestamptz default null)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform graphile_worker.add_job(
    identifier => name, payload => payload, run_at => run_at, job_key => job_key, job_key_mode => 'preserve_run_at');
end
$$;
comment on function app.enqueue_job(text, json, text, timestamptz) is
  'Adds a job to the queue within the caller''s transaction: it exists if, and only if, that transaction commits. '
  'A job with the same key that has not started yet takes the new payload.';
grant execute on function app.enqueue_job(text, json, text, timestamptz) to authenticated, service_role, supabase_auth_admin;
