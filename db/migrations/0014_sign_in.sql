-- Sign-in: what decides whom an address belongs to, and which devices an account knows.

-- A confirmed sign-up reads whether a team has invited the address since.
create index invitations_email_idx on public.invitations (email);

create table app.known_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  seen_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
comment on table app.known_devices is
  'Browsers in which a person has signed in. Wrong passwords from elsewhere slow down sign-ins from elsewhere, not theirs.';
comment on column app.known_devices.token_hash is 'SHA-256 of the random cookie of the browser.';
comment on column app.known_devices.seen_at is 'The latest sign-in in this browser.';
alter table app.known_devices enable row level security;
alter table app.known_devices force row level security;
