-- Messages of the contact form: stored first, mailed to the operator after.

create table public.contact_messages (
  id uuid primary key,
  topic text not null check (char_length(topic) between 1 and 40),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 3 and 254),
  message text not null check (char_length(message) between 1 and 5000),
  is_spam boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table public.contact_messages is
  'Messages to the operator of the instance by its contact form, kept for 400 days.';
comment on column public.contact_messages.id is 'Chosen by the sender, so that a repeated request stores one message.';
comment on column public.contact_messages.email is 'Where the sender says an answer reaches them; not confirmed.';
comment on column public.contact_messages.is_spam is
  'The hidden field was filled in: likely a bot. Stored, and no email is sent.';
create index contact_messages_created_idx on public.contact_messages (created_at);
alter table public.contact_messages enable row level security;
alter table public.contact_messages force row level security;
grant select, insert, update, delete on public.contact_messages to service_role;
