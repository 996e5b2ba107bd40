-- The outbox: every email is a row first, written in the transaction that causes it, and sent by a job afterwards. So the
-- app works while the mail server is down, and a rollback sends no email.

create table app.emails (
  id uuid primary key,
  kind text not null check (kind ~ '^[a-z][a-z_]{0,49}$'),
  to_address text not null check (char_length(to_address) between 3 and 254),
  subject text not null check (char_length(subject) between 1 and 200 and subject !~ '[\r\n]'),
  html text not null,
  text text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  sender_name text check (char_length(sender_name) <= 100 and sender_name !~ '[[:cntrl:]]'),
  refers_to uuid[] not null default '{}',
  organization_id uuid,
  feedback_id uuid,
  unsubscribe_url text,
  constraint emails_feedback_fkey foreign key (organization_id, feedback_id)
    references public.feedback (organization_id, id) on delete cascade
);
comment on table app.emails is 'Emails to send and emails sent.';
comment on column app.emails.kind is 'Kind of email, e.g. confirm_sign_up.';
comment on column app.emails.html is 'Emptied once the email is sent or has failed: it may contain a sign-in link.';
comment on column app.emails.text is 'The same email without markup. Emptied with html.';
comment on column app.emails.sent_at is 'When the mail server accepted it.';
comment on column app.emails.failed_at is 'When it failed permanently: the mail server refused the address.';
comment on column app.emails.last_error is 'Why the last attempt failed, without addresses.';
comment on column app.emails.sender_name is 'Name of the sender; null: the instance''s.';
comment on column app.emails.refers_to is
  'Emails of the same thread, oldest first: ids of emails, or of their item. Becomes the References header.';
comment on column app.emails.feedback_id is 'The item that it is about: deleted with it. Null: about none.';
comment on column app.emails.unsubscribe_url is
  'One-click unsubscribe link (RFC 8058); null: the recipient asked for this email.';
create index emails_created_at_idx on app.emails (created_at desc);
create index emails_to_address_idx on app.emails (to_address, created_at desc);
create index emails_feedback_idx on app.emails (organization_id, feedback_id) where feedback_id is not null;

alter table app.emails enable row level security;
alter table app.emails force row level security;
grant select, insert, update, delete on app.emails to service_role;

create table app.email_pauses (
  kind text not null,
  address_hash bytea not null,
  asked_at timestamptz not null,
  primary key (kind, address_hash)
);
comment on table app.email_pauses is
  'When an email of one kind was last requested for an address. Recorded for addresses without an account too, so '
  'that the answer does not reveal whether there is one.';
comment on column app.email_pauses.address_hash is
  'SHA-256 of the lower-case address: addresses of strangers are not stored.';
create index email_pauses_asked_at_idx on app.email_pauses (asked_at);

alter table app.email_pauses enable row level security;
alter table app.email_pauses force row level security;
grant select, insert, update, delete on app.email_pauses to service_role;
