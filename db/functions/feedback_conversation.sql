-- The conversation: replies and their emails, and merged items.

create or replace function app.after_comment_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.feedback f
  set updated_at = now(),
      first_response_at = case
        when new.kind = 'reply' and not new.from_visitor then coalesce(f.first_response_at, new.created_at)
        else f.first_response_at
      end,
      last_reply_by = case
        when new.kind <> 'reply' then f.last_reply_by
        -- "Yes, it's solved" needs no answer.
        when new.from_visitor and new.solved is not true then 'visitor'
        else 'team'
      end,
      visitor_wrote_at = case
        when new.from_visitor then greatest(f.visitor_wrote_at, new.created_at)
        else f.visitor_wrote_at
      end,
      -- A visitor who writes does not wait.
      snoozed_until = case when new.from_visitor then null else f.snoozed_until end
  where f.organization_id = new.organization_id and f.id = new.feedback_id;
  return null;
end
$$;
comment on function app.after_comment_insert() is 'A comment updates its item: the first reply sets first_response_at, each public one last_reply_by, '
  'and each of the visitor visitor_wrote_at. What a visitor writes ends a snooze.';
create or replace trigger after_comment_insert after insert on public.feedback_comments
  for each row execute function app.after_comment_insert();

create or replace function app.queue_reply(
  p_organization_id uuid, p_comment_id uuid, p_email_id uuid, p_sender_name text, p_subject text, p_html text, p_text text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_to text;
  v_feedback_id uuid;
begin
  select f.visitor_email, f.id into v_to, v_feedback_id
  from public.feedback_comments c
  join public.feedback f on f.organization_id = c.organization_id and f.id = c.feedback_id
  where c.organization_id = p_organization_id
    and c.id = p_comment_id
    and c.kind = 'reply' and not c.from_visitor
    and c.author_user_id = auth.uid()
    and c.email_id is null
    and (c.organization_id in (select app.visible_organization_ids())
      or (f.organization_id, f.project_id) in (
        select k.organization_id, k.project_id from app.key_projects() k where k.may_write))
  for update of c;
  if not found or v_to is null then
    raise exception 'There is no such reply to send.' using errcode = 'insufficient_privilege';
  end if;
  insert into app.emails (id, kind, to_address, subject, html, text, sender_name, refers_to, organization_id, feedback_id)
  values (
    p_email_id, 'conversation_reply', v_to, p_subject, p_html, p_text, p_sender_name,
    v_feedback_id || array(
      select c.email_id from (
        select c.email_id, c.created_at from public.feedback_comments c
        where c.organization_id = p_organization_id and c.feedback_id = v_feedback_id and c.email_id is not null
        order by c.created_at desc limit 10
      ) as c
      order by c.created_at),
    -- The email is deleted with its item.
    p_organization_id, v_feedback_id);
  perform app.enqueue_job('send_email', json_build_object('emailId', p_email_id), 'send_email:' || p_email_id);
  update public.feedback_comments c set email_id = p_email_id, delivery = 'waiting'
  where c.organization_id = p_organization_id and c.id = p_comment_id;
end
$$;
comment on function app.queue_reply(uuid, uuid, uuid, text, text, text, text) is
  'Queues the email of a reply in the transaction that writes it: once, to the item''s visitor, and for its author '
  'only, so that a member cannot send email to arbitrary addresses.';
grant execute on function app.queue_reply(uuid, uuid, uuid, text, text, text, text) to authenticated, earshot_api_key;

create or replace function app.mark_reply_unsent(p_organization_id uuid, p_comment_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.feedback_comments c set delivery = 'no_address'
  where c.organization_id = p_organization_id and c.id = p_comment_id
    and c.kind = 'reply' and c.email_id is null and c.author_user_id = auth.uid()
    and (c.organization_id in (select app.visible_organization_ids())
      or c.organization_id in (select k.organization_id from app.key_projects() k where k.may_write))
$$;
comment on function app.mark_reply_unsent(uuid, uuid) is 'Records that a reply has no address to go to.';
grant execute on function app.mark_reply_unsent(uuid, uuid) to authenticated, earshot_api_key;

create or replace function app.after_reply_mail() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization_id uuid;
  v_feedback_id uuid;
begin
  update public.feedback_comments c
  set delivery = case when new.sent_at is not null then 'sent' else 'failed' end
  where c.email_id = new.id
  returning c.organization_id, c.feedback_id into v_organization_id, v_feedback_id;
  if found then
    perform app.write_event(v_organization_id, 'feedback.reply_delivered', array[v_feedback_id],
      jsonb_build_object('delivery', case when new.sent_at is not null then 'sent' else 'failed' end));
  end if;
  return null;
end
$$;
comment on function app.after_reply_mail() is
  'Records in the conversation whether a reply''s email was sent, and announces it.';
create or replace trigger after_reply_mail after update of sent_at, failed_at on app.emails
  for each row when (new.kind = 'conversation_reply' and (new.sent_at is not null or new.failed_at is not null))
  execute function app.after_reply_mail();

-- Both items get an entry: the trigger on the change itself knows only the item that moves.
create or replace function app.after_feedback_merge() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.feedback_events (organization_id, feedback_id, actor_user_id, field, from_value, to_value)
  select new.organization_id, t.id, auth.uid(), 'duplicate',
    case when t.id = old.merged_into then new.id::text end, case when t.id = new.merged_into then new.id::text end
  from public.feedback t
  where t.organization_id = new.organization_id and t.id in (old.merged_into, new.merged_into);
  update public.feedback t set updated_at = now()
  where t.organization_id = new.organization_id and t.id in (old.merged_into, new.merged_into);
  return null;
end
$$;
comment on function app.after_feedback_merge() is
  'Writes into the history of an item which items are merged into it and unmerged.';
create or replace trigger after_feedback_merge after update of merged_into on public.feedback
  for each row when (old.merged_into is distinct from new.merged_into) execute function app.after_feedback_merge();
