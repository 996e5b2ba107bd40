-- Superadmins who use the product as one of its users, for a short time.

create table app.impersonations (
  id uuid primary key,
  superadmin_id uuid not null,
  -- The session with which it was begun: it ends with that.
  superadmin_session_id uuid not null,
  user_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 500),
  mode text not null check (mode in ('read_only', 'changes')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in (
    'ended', 'expired', 'superadmin_lost_right', 'superadmin_signed_out', 'user_became_superadmin', 'user_unusable')),
  check (expires_at > created_at and expires_at <= created_at + interval '60 minutes'),
  check ((ended_at is null) = (end_reason is null))
);
comment on table app.impersonations is
  'Superadmins who use the product as a user. An access token names a row, and is good as long as the row, the superadmin''s '
  'right and the superadmin''s session are. No foreign keys: rows outlive accounts, as entries of the audit log do.';
comment on column app.impersonations.mode is 'read_only: nothing can be changed. changes: what the user may change, less their account.';
comment on column app.impersonations.ended_at is
  'Set by an act, a trigger or the job of each minute. Null does not mean that the token still works: app.get_impersonated_actor says so.';
comment on column app.impersonations.end_reason is
  'ended: by a superadmin. superadmin_lost_right: no longer superadmin, banned or deleted. user_unusable: banned, unconfirmed or deleted.';
create index impersonations_user_idx on app.impersonations (user_id, created_at desc, id desc);
create index impersonations_open_idx on app.impersonations (expires_at) where ended_at is null;
create index impersonations_created_at_idx on app.impersonations using brin (created_at);
alter table app.impersonations enable row level security;
alter table app.impersonations force row level security;
grant select on app.impersonations to service_role;

alter table app.events add column impersonation_id uuid;
comment on column app.events.impersonation_id is 'A superadmin caused it as the actor, or looked at the organisation as a user.';
alter table public.audit_log add column impersonation_id uuid;
comment on column public.audit_log.impersonation_id is 'A superadmin did it as the actor; the actor''s name names both.';
create index audit_log_impersonation_idx on public.audit_log (impersonation_id, created_at, id)
  where impersonation_id is not null;
