-- The outbox of domain events.

create table app.events (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  name text not null check (name ~ '^[a-z_]{1,40}\.[a-z_]{1,40}$'),
  ids uuid[] not null,
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
  actor_user_id uuid,
  request_id text check (char_length(request_id) <= 100),
  occurred_at timestamptz not null default now(),
  transaction_id xid8 not null default pg_current_xact_id(),
  announced text not null check (announced in ('commit', 'dispatch', 'never')),
  dispatched_at timestamptz,
  primary key (organization_id, id)
);
comment on table app.events is
  'The outbox of domain events: one row per transaction, organisation and name, kept for 30 days. Names and payloads stand '
  'in contract/events.ts. No foreign keys: an event outlives what it names, and a key to organizations would make all '
  'ingest of one organisation share a row lock.';
comment on column app.events.id is 'The same when an event is delivered twice.';
comment on column app.events.ids is 'The items, members or projects that the event is about.';
comment on column app.events.payload is 'By name, see contract/events.ts. Holds no text and no address of a visitor.';
comment on column app.events.actor_user_id is 'The member who caused it; null: a visitor, or a job.';
comment on column app.events.request_id is 'X-Request-Id of the request that caused it; null: a job, or a batch of several requests.';
comment on column app.events.transaction_id is
  'Events of one transaction are announced together. Compared together with occurred_at: a restored database starts counting again.';
comment on column app.events.announced is
  'When immediate subscribers hear of it: at commit; when it is dispatched, because a NOTIFY takes a lock that makes the '
  'commits of all batches queue; or never, because the writer sends one live message at its end.';
comment on column app.events.dispatched_at is 'When a job was queued for each of its subscribers; null: not yet.';
-- Entries of one transaction lie together, and in the order in which transactions began to write.
create index events_waiting_idx on app.events (transaction_id) where dispatched_at is null;
create index events_occurred_at_idx on app.events (occurred_at);
alter table app.events enable row level security;
alter table app.events force row level security;
-- Recorded through app.record_event only, by members and by the system.
grant select, update (dispatched_at), delete on app.events to service_role;

alter table public.notifications add column event_id uuid;
comment on column public.notifications.event_id is
  'The event that caused it: one that is delivered twice notifies once. No foreign key: events are deleted sooner. Null: '
  'older than events.';
create unique index notifications_event_idx
  on public.notifications (organization_id, event_id, user_id, kind, feedback_id) where event_id is not null;
