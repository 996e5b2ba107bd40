-- Integrations: where events of an organisation are delivered, and each delivery.

create table public.integrations (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  type text not null check (type ~ '^[a-z][a-z0-9_]{1,39}$'),
  name text not null check (char_length(name) between 1 and 100),
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  secrets text not null check (char_length(secrets) <= 20000),
  secret_names text[] not null default '{}',
  event_names text[] not null,
  rules jsonb not null default '{}' check (jsonb_typeof(rules) = 'object'),
  account text check (char_length(account) <= 300),
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  state_reason text check (char_length(state_reason) <= 500),
  credentials_end_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
comment on table public.integrations is 'Connections to other services, to which events are delivered.';
comment on column public.integrations.type is 'A name of the registry in server/features/integrations/types.';
comment on column public.integrations.settings is 'What the type''s form asks for, without its secrets.';
comment on column public.integrations.secrets is 'Secrets of the form, and what signs deliveries: encrypted, never returned.';
comment on column public.integrations.secret_names is 'Names of the form''s secret fields that have a value.';
comment on column public.integrations.event_names is 'Events that are delivered.';
comment on column public.integrations.rules is 'The items whose events are delivered: a selection of contract/inbox.ts.';
comment on column public.integrations.account is 'What it is connected to, in the service''s own words: a channel, a repository.';
comment on column public.integrations.state is
  'paused: by an owner. disabled: by Earshot, because the service refused for days, or permanently.';
comment on column public.integrations.state_reason is 'Why it is disabled, in a sentence.';
comment on column public.integrations.credentials_end_at is 'When its token expires; null: it doesn''t, or no one knows.';
comment on column public.integrations.created_by is 'No foreign key: an integration outlives the account.';
create index integrations_credentials_idx on public.integrations (credentials_end_at) where credentials_end_at is not null;

create table public.integration_queues (
  organization_id uuid not null,
  integration_id uuid not null,
  due_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  last_failure text check (char_length(last_failure) <= 500),
  last_delivered_at timestamptz,
  primary key (organization_id, integration_id),
  foreign key (organization_id, integration_id) references public.integrations (organization_id, id) on delete cascade
);
comment on table public.integration_queues is
  'The queue of each integration. One process works through it at a time, so that an integration that does not answer '
  'holds up none but its own deliveries. Apart from integrations, because it changes with every delivery.';
comment on column public.integration_queues.due_at is 'When its next delivery is due; null: none waits.';
comment on column public.integration_queues.leased_by is 'The process that works through it.';
comment on column public.integration_queues.leased_until is 'When another process may take it, because that one has died.';
comment on column public.integration_queues.failures is 'Failed attempts since the last delivery that arrived.';
comment on column public.integration_queues.failing_since is 'When the first of those failed.';
create index integration_queues_due_idx on public.integration_queues (due_at) where due_at is not null;

create table public.deliveries (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  integration_id uuid not null,
  event_id uuid,
  event_name text not null check (event_name ~ '^[a-z_]{1,40}\.[a-z_]{1,40}$'),
  occurred_at timestamptz not null default now(),
  feedback_id uuid,
  subject_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  body text,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, integration_id, event_id, event_name, subject_id),
  foreign key (organization_id, integration_id) references public.integrations (organization_id, id) on delete cascade,
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade,
  check ((state = 'waiting') = (next_attempt_at is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
comment on table public.deliveries is
  'One event of one item for one integration, kept for 30 days. It goes with its item, because its body repeats what the '
  'visitor wrote.';
comment on column public.deliveries.id is 'The same at every attempt: receivers recognise repetitions by it.';
comment on column public.deliveries.event_id is 'No foreign key: events are deleted sooner. Null: a test.';
comment on column public.deliveries.feedback_id is 'Null: the event is about an item that no longer exists, or about none.';
comment on column public.deliveries.subject_id is
  'The item that the event is about, also when it no longer exists; of a test, the delivery''s own id.';
comment on column public.deliveries.state is
  'failed: given up after the last attempt, and can be retried by hand. dropped: what it was about no longer exists.';
comment on column public.deliveries.body is 'The body of every attempt, as the first one rendered it; null: none was made yet.';
create index deliveries_waiting_idx on public.deliveries (organization_id, integration_id, next_attempt_at)
  where state = 'waiting';
create index deliveries_list_idx on public.deliveries (organization_id, integration_id, id desc);
create index deliveries_feedback_idx on public.deliveries (organization_id, feedback_id) where feedback_id is not null;
create index deliveries_created_at_idx on public.deliveries (created_at);

create table public.delivery_attempts (
  organization_id uuid not null,
  delivery_id uuid not null,
  number integer not null check (number > 0),
  created_at timestamptz not null default now(),
  duration_ms integer not null check (duration_ms >= 0),
  request text check (char_length(request) <= 20000),
  status integer,
  response text check (char_length(response) <= 5000),
  failure text check (char_length(failure) <= 500),
  primary key (organization_id, delivery_id, number),
  foreign key (organization_id, delivery_id) references public.deliveries (organization_id, id) on delete cascade
);
comment on table public.delivery_attempts is 'Each attempt of a delivery, with what was sent and answered.';
comment on column public.delivery_attempts.request is 'Method, host and headers that are no secret; the body is the delivery''s.';
comment on column public.delivery_attempts.status is 'HTTP status; null: there was no answer.';
comment on column public.delivery_attempts.response is 'The beginning of the answer.';
comment on column public.delivery_attempts.failure is 'Why it counts as failed, in a sentence; null: it arrived.';

alter table public.integrations enable row level security;
alter table public.integrations force row level security;
alter table public.integration_queues enable row level security;
alter table public.integration_queues force row level security;
alter table public.deliveries enable row level security;
alter table public.deliveries force row level security;
alter table public.delivery_attempts enable row level security;
alter table public.delivery_attempts force row level security;

-- Secrets: written by owners, read by the system alone.
grant select (
  organization_id, id, type, name, settings, secret_names, event_names, rules, account, state, state_reason, credentials_end_at,
  created_by, created_at, updated_at
), insert (
  organization_id, id, type, name, settings, secrets, secret_names, event_names, rules, account, credentials_end_at, created_by
), update (
  name, settings, secrets, secret_names, event_names, rules, account, state, state_reason, credentials_end_at, updated_at
), delete on public.integrations to authenticated;
grant select, update on public.integrations to service_role;
grant select on public.integration_queues to authenticated;
grant select, update on public.integration_queues to service_role;
grant select on public.deliveries, public.delivery_attempts to authenticated;
grant insert (organization_id, id, integration_id, event_name, feedback_id, subject_id) on public.deliveries to authenticated;
grant update (state, next_attempt_at, ended_at) on public.deliveries to authenticated;
grant select, insert, update, delete on public.deliveries to service_role;
grant select, insert on public.delivery_attempts to service_role;
