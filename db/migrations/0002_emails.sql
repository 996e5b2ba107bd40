-- The outbox: every mail is a row first, written in the transaction that causes it, and sent by a job afterwards.
-- The app therefore works while the mail server is down, and no mail goes out for something that was rolled back.

create schema if not exists app;
grant usage on schema app to service_role, supabase_auth_admin;

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
  last_error text
);
comment on table app.emails is 'Mails to send and mails sent.';
comment on column app.emails.kind is 'Which mail it is, e.g. confirm_sign_up.';
comment on column app.emails.html is 'Emptied once the mail is sent or given up: it may hold a sign-in link.';
comment on column app.emails.text is 'The same mail without markup. Emptied with html.';
comment on column app.emails.sent_at is 'When the mail server took it.';
comment on column app.emails.failed_at is 'When it was given up: the mail server refused the address for good.';
comment on column app.emails.last_error is 'Why the last attempt failed, without addresses.';
create index emails_created_at_idx on app.emails (created_at desc);
create index emails_to_address_idx on app.emails (to_address, created_at desc);

alter table app.emails enable row level security;
alter table app.emails force row level security;
create policy emails_service on app.emails to service_role using (id is not null) with check (id is not null);
grant select, insert, update, delete on app.emails to service_role;

create function app.queue_email(
  p_id uuid, p_kind text, p_to_address text, p_subject text, p_html text, p_text text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.emails (id, kind, to_address, subject, html, text)
  values (p_id, p_kind, p_to_address, p_subject, p_html, p_text);
  perform app.enqueue_job('send_email', json_build_object('emailId', p_id), 'send_email:' || p_id);
end
$$;
comment on function app.queue_email(uuid, text, text, text, text, text) is
  'Puts a mail into the outbox and its job into the queue, in the caller''s transaction.';
revoke execute on function app.queue_email(uuid, text, text, text, text, text) from public;
grant execute on function app.queue_email(uuid, text, text, text, text, text) to service_role, supabase_auth_admin;

create table app.email_pauses (
  kind text not null,
  address_hash bytea not null,
  asked_at timestamptz not null,
  primary key (kind, address_hash)
);
comment on table app.email_pauses is
  'When a mail of one kind was last asked for, for one address. Kept for addresses without an account too, so that the '
  'answer does not tell whether there is one.';
comment on column app.email_pauses.address_hash is 'SHA-256 of the lower-case address: strangers'' addresses are not collected.';
create index email_pauses_asked_at_idx on app.email_pauses (asked_at);

alter table app.email_pauses enable row level security;
alter table app.email_pauses force row level security;
create policy email_pauses_service on app.email_pauses to service_role
  using (kind <> '') with check (kind <> '');
grant select, insert, update, delete on app.email_pauses to service_role;

create function app.begin_email_pause(p_kind text, p_address text, p_seconds integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_hash bytea := sha256(convert_to(lower(p_address), 'UTF8'));
  v_asked_at timestamptz;
begin
  insert into app.email_pauses as pause (kind, address_hash, asked_at)
  values (p_kind, v_hash, clock_timestamp())
  on conflict (kind, address_hash) do update set asked_at = excluded.asked_at
    where pause.asked_at <= excluded.asked_at - make_interval(secs => p_seconds)
  returning asked_at into v_asked_at;
  if found then
    return 0;
  end if;
  select pause.asked_at into strict v_asked_at
  from app.email_pauses pause
  where pause.kind = p_kind and pause.address_hash = v_hash;
  return greatest(1, ceil(extract(epoch from v_asked_at - clock_timestamp()) + p_seconds)::integer);
end
$$;
comment on function app.begin_email_pause(text, text, integer) is
  'Asks to send one mail of this kind to this address. 0: granted, and the pause begins; else the seconds left of the '
  'pause. Of two askers at the same moment, one is granted.';
revoke execute on function app.begin_email_pause(text, text, integer) from public;
grant execute on function app.begin_email_pause(text, text, integer) to service_role, supabase_auth_admin;
