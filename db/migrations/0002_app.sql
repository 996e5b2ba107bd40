-- The product's own machinery in schema `app`, which no API exposes: settings of the instance, heartbeats, rate limits.

create schema if not exists app;
comment on schema app is 'The product''s internals. Exposed by no API; the roles below reach single functions of it.';
grant usage on schema app to authenticator, anon, authenticated, service_role, supabase_auth_admin;

-- PostgreSQL lets everyone execute a new function. Here a function is executable by those whom a GRANT names.
alter default privileges revoke execute on functions from public;

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- Here and not in db/functions: the default of ids, so it has to exist before the tables.
create function app.uuid_v7() returns uuid
language sql volatile parallel safe set search_path = ''
as $$
  -- RFC 9562, section 5.7: 48 bits of milliseconds, version 7, and random bits. (uuidv7() exists from PostgreSQL 18 on.)
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
  superadmin_emails text[] not null default '{}',
  has_had_superadmin boolean not null default false
);
comment on table app.instance_settings is 'Configuration that triggers need. One row, written at every start.';
comment on column app.instance_settings.billing_enabled is
  'Whether a new organisation starts a trial. Without billing it is self_hosted: no limits.';
comment on column app.instance_settings.superadmin_emails is
  'Lower-case addresses that become superadmins when confirmed.';
comment on column app.instance_settings.has_had_superadmin is
  'Whether the first confirmed user has become a superadmin. Happens once: when that person leaves, the next stranger '
  'must not.';
insert into app.instance_settings default values;

alter table app.instance_settings enable row level security;
alter table app.instance_settings force row level security;
grant select, update on app.instance_settings to service_role;

create table app.job_workers (
  worker_id text primary key,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
comment on table app.job_workers is
  'Heartbeats of the processes that run jobs. After a minute of silence a worker counts as dead, and other workers '
  'take its jobs.';

alter table app.job_workers enable row level security;
alter table app.job_workers force row level security;
grant select, insert, update, delete on app.job_workers to service_role;

-- Rate limits that all processes share. Unlogged: after a crash every bucket is full again, and a log would cost more.
-- Rows are updated in place: the key is the only index, and each page keeps some room.
create unlogged table app.rate_limits (
  name text not null,
  key_hash bytea not null,
  full_at timestamptz not null,
  primary key (name, key_hash)
) with (fillfactor = 70);
comment on table app.rate_limits is
  'Token buckets, one row each. A bucket without a row is full, so a job deletes the rows of full ones.';
comment on column app.rate_limits.name is 'The limited action, e.g. sign_up.';
comment on column app.rate_limits.key_hash is
  'SHA-256 of the limited IP or email address: neither is stored in the clear.';
comment on column app.rate_limits.full_at is
  'When the bucket is full again. Each token taken moves it by the time that one token needs.';

alter table app.rate_limits enable row level security;
alter table app.rate_limits force row level security;
grant select, delete on app.rate_limits to service_role;
