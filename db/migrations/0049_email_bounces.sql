-- Attempts, retries and bounces of emails, and addresses that get no emails.

alter table app.emails
  add column reply_to text check (char_length(reply_to) between 3 and 254 and reply_to !~ '[[:cntrl:][:space:],;<>]'),
  add column retried_at timestamptz,
  add column bounced_at timestamptz,
  add column suppressed_at timestamptz;
comment on column app.emails.html is
  'Emptied once the email is sent, and 14 days after it has failed: it may contain a sign-in link. No screen shows it.';
comment on column app.emails.failed_at is
  'When it was given up: the mail server refused the address, three days had passed, or the address is suppressed.';
comment on column app.emails.reply_to is 'Where answers go, instead of to the sender; null: to the sender.';
comment on column app.emails.retried_at is 'When a superadmin last asked to send it again: the three days begin again.';
comment on column app.emails.bounced_at is 'When a mail provider reported that it could not be delivered.';
comment on column app.emails.suppressed_at is 'When it was not sent because its address is suppressed; failed_at is set too.';

create table app.email_attempts (
  email_id uuid not null,
  number integer not null check (number > 0),
  at timestamptz not null default now(),
  answer text check (char_length(answer) <= 500),
  primary key (email_id, number)
);
comment on table app.email_attempts is 'Attempts to send an email that have ended.';
comment on column app.email_attempts.email_id is
  'Of app.emails. A trigger deletes attempts with their email: most emails have no organisation, which a foreign key needs.';
comment on column app.email_attempts.answer is
  'What the mail server answered, without addresses, or why there was no answer; null: it accepted the email.';
alter table app.email_attempts enable row level security;
alter table app.email_attempts force row level security;
grant select, insert, update, delete on app.email_attempts to service_role;

create table public.email_suppressions (
  id uuid primary key default gen_random_uuid(),
  address text not null unique check (char_length(address) between 3 and 254 and address = lower(address)),
  reason text not null check (reason in ('hard_bounce', 'complaint', 'manual')),
  since timestamptz not null default now()
);
comment on table public.email_suppressions is
  'Addresses that get no emails. Emails about the security of an account are still sent, unless emails to the address bounce.';
comment on column public.email_suppressions.reason is
  'hard_bounce: a provider reported that the address does not exist. complaint: its reader reported an email as spam. '
  'manual: a superadmin added it.';
create index email_suppressions_since_idx on public.email_suppressions (since desc, id desc);
alter table public.email_suppressions enable row level security;
alter table public.email_suppressions force row level security;
grant select, insert, update, delete on public.email_suppressions to service_role;
