-- Requests of the public API that name themselves, so that a retry gets the first answer.

create table app.idempotent_requests (
  organization_id uuid not null,
  project_id uuid not null,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  started_at timestamptz not null default now(),
  status smallint check (status between 200 and 299),
  body text,
  primary key (organization_id, project_id, key_hash),
  check ((status is null) = (body is null))
);
comment on table app.idempotent_requests is
  'Requests with an Idempotency-Key, kept for 24 hours. By project, so that a retry with a regenerated API key counts as '
  'one. No foreign key: a row outlives its project by a day at most.';
comment on column app.idempotent_requests.key_hash is 'SHA-256 of operation and idempotency key.';
comment on column app.idempotent_requests.request_hash is 'SHA-256 of address and body: tells a retry from another request.';
comment on column app.idempotent_requests.status is 'Of the answer; null: still running, or its process died.';
comment on column app.idempotent_requests.body is 'Of the answer, as JSON. Receipts and comments; no text of a visitor.';
create index idempotent_requests_started_idx on app.idempotent_requests (started_at);

alter table app.idempotent_requests enable row level security;
alter table app.idempotent_requests force row level security;
grant select, insert, update, delete on app.idempotent_requests to earshot_api_key;
grant select, delete on app.idempotent_requests to service_role;
