-- The outbox, and the pause between two emails to one address.

create or replace function app.queue_email(
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
  'Puts an email into the outbox and its job into the queue, in the caller''s transaction.';
grant execute on function app.queue_email(uuid, text, text, text, text, text) to service_role, supabase_auth_admin;

create or replace function app.retry_emails(p_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update app.emails set failed_at = null, suppressed_at = null, retried_at = now() where id = any (p_ids);
  -- Unlike app.enqueue_job, a waiting job takes the new time.
  perform graphile_worker.add_job(identifier => 'send_email', payload => json_build_object('emailId', i.id),
    job_key => 'send_email:' || i.id, job_key_mode => 'replace', run_at => now())
  from unnest(p_ids) as i (id);
end
$$;
comment on function app.retry_emails(uuid[]) is
  'Queues failed emails again and brings the next attempt of waiting emails forward.';
grant execute on function app.retry_emails(uuid[]) to service_role;

create or replace function app.begin_email_pause(p_kind text, p_address text, p_seconds integer) returns integer
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
  'Requests one email of this kind to this address. 0: granted, and the pause begins; else the seconds left of the '
  'pause. Of two concurrent requests, one is granted.';
grant execute on function app.begin_email_pause(text, text, integer) to service_role, supabase_auth_admin;

create or replace function app.after_email_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from app.email_attempts a using deleted d where a.email_id = d.id;
  return null;
end
$$;
comment on function app.after_email_deletion() is 'Deletes the attempts of deleted emails.';
create or replace trigger after_email_deletion after delete on app.emails
  referencing old table as deleted for each statement execute function app.after_email_deletion();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists emails_service on app.emails;
create policy emails_service on app.emails to service_role using (id is not null) with check (id is not null);

drop policy if exists email_pauses_service on app.email_pauses;
create policy email_pauses_service on app.email_pauses to service_role
  using (kind <> '') with check (kind <> '');

drop policy if exists email_attempts_service on app.email_attempts;
create policy email_attempts_service on app.email_attempts to service_role
  using (email_id is not null) with check (email_id is not null);

drop policy if exists email_suppressions_service on public.email_suppressions;
create policy email_suppressions_service on public.email_suppressions to service_role
  using (id is not null) with check (id is not null);
