-- The conversation about an item: notes that mention colleagues, replies that leave by mail, and the visitor's answers;
-- items like it, and what is merged into it.

alter table public.feedback_comments
  add column from_visitor boolean not null default false,
  add column solved boolean,
  add column mentions uuid[] not null default '{}',
  add column delivery text check (delivery in ('no_address', 'waiting', 'sent', 'failed')),
  add column email_id uuid,
  drop constraint feedback_comments_text_check,
  add constraint feedback_comments_text_check check (
    char_length(text) <= 10000 and (text <> '' or (from_visitor and solved is not null))),
  add constraint feedback_comments_visitor_check check (
    not from_visitor or (kind = 'reply' and author_user_id is null and email_id is null));
comment on table public.feedback_comments is
  'What was said about an item: notes of the team among themselves, replies to the visitor, and the visitor''s answers.';
comment on column public.feedback_comments.from_visitor is 'An answer of the visitor; false: the team''s.';
comment on column public.feedback_comments.solved is 'With an answer: whether the visitor says that it is solved.';
comment on column public.feedback_comments.mentions is
  'Members whom a note names; in its text each stands as <@id>, so that it shows the name that they have now.';
comment on column public.feedback_comments.delivery is
  'What became of a reply''s mail; no_address: the visitor left none. Null: it is no reply of the team''s, or an old one.';
comment on column public.feedback_comments.email_id is 'The reply''s mail in the outbox. No foreign key: mails are kept for a month.';
create index feedback_comments_email_idx on public.feedback_comments (email_id) where email_id is not null;

-- A member writes as themselves; answers and what became of a mail are the system's to write.
drop policy feedback_comments_insert on public.feedback_comments;
create policy feedback_comments_insert on public.feedback_comments for insert to authenticated
  with check (
    organization_id in (select app.visible_organization_ids()) and author_user_id = auth.uid()
    and not from_visitor and delivery is null and email_id is null);

create function app.after_comment_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.feedback f
  set updated_at = now(),
      first_response_at = case
        when new.kind = 'reply' and not new.from_visitor then coalesce(f.first_response_at, new.created_at)
        else f.first_response_at
      end
  where f.organization_id = new.organization_id and f.id = new.feedback_id;
  return null;
end
$$;
comment on function app.after_comment_insert() is
  'An item that is talked about has changed; the first reply is when the team first answered.';
create trigger after_comment_insert after insert on public.feedback_comments
  for each row execute function app.after_comment_insert();

alter table app.emails
  add column sender_name text check (char_length(sender_name) <= 100 and sender_name !~ '[[:cntrl:]]'),
  add column refers_to uuid[] not null default '{}';
comment on column app.emails.sender_name is 'In whose name it is sent; null: the instance''s own.';
comment on column app.emails.refers_to is
  'What it continues, oldest first: ids of mails, or of the item that they are about. By these mailboxes keep threads.';

create function app.queue_reply(
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
    and c.organization_id in (select app.visible_organization_ids())
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
    -- Columns of the migration on retention: the mail goes when its item is erased.
    p_organization_id, v_feedback_id);
  perform app.enqueue_job('send_email', json_build_object('emailId', p_email_id), 'send_email:' || p_email_id);
  update public.feedback_comments c set email_id = p_email_id, delivery = 'waiting'
  where c.organization_id = p_organization_id and c.id = p_comment_id;
end
$$;
comment on function app.queue_reply(uuid, uuid, uuid, text, text, text, text) is
  'Queues the mail of a reply in the transaction that writes it: once, to the item''s visitor, and for who wrote it alone, '
  'so that nobody signed in can send mail to anybody else.';
grant execute on function app.queue_reply(uuid, uuid, uuid, text, text, text, text) to authenticated;

create function app.mark_reply_unsent(p_organization_id uuid, p_comment_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.feedback_comments c set delivery = 'no_address'
  where c.organization_id = p_organization_id and c.id = p_comment_id
    and c.kind = 'reply' and c.email_id is null and c.author_user_id = auth.uid()
    and c.organization_id in (select app.visible_organization_ids())
$$;
comment on function app.mark_reply_unsent(uuid, uuid) is 'Notes that a reply has no address to go to.';
grant execute on function app.mark_reply_unsent(uuid, uuid) to authenticated;

create function app.after_reply_mail() returns trigger
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
    perform pg_notify('feedback_changed', json_build_object(
      'organizationId', v_organization_id, 'kind', 'feedback.updated', 'ids', json_build_array(v_feedback_id))::text);
  end if;
  return null;
end
$$;
comment on function app.after_reply_mail() is 'Tells the conversation what became of a reply''s mail.';
create trigger after_reply_mail after update of sent_at, failed_at on app.emails
  for each row when (new.kind = 'conversation_reply' and (new.sent_at is not null or new.failed_at is not null))
  execute function app.after_reply_mail();

-- Merging is told on both: the trigger on the change itself knows only the item that moves.
create function app.after_feedback_merge() returns trigger
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
comment on function app.after_feedback_merge() is 'Writes into the history of an item what is merged into it and taken out.';
create trigger after_feedback_merge after update of merged_into on public.feedback
  for each row when (old.merged_into is distinct from new.merged_into) execute function app.after_feedback_merge();

create function app.find_similar_feedback(p_organization_id uuid, p_feedback_id uuid, p_limit integer)
returns table (id uuid, likeness real)
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_custom_plan
-- Words are few and rare by choice: their entries in the index are read, never the table.
set enable_seqscan = off
as $$
declare
  -- Rows that may be looked at, by the database's estimate. More take longer than anybody waits for a hint.
  v_budget constant real := 400;
  v_project_id uuid;
  v_own text[];
  v_query tsquery;
begin
  select f.project_id, tsvector_to_array(app.make_search(f.message, null, null, '', null))
  into v_project_id, v_own
  from public.feedback f
  where f.organization_id = p_organization_id and f.id = p_feedback_id
    and p_organization_id in (select app.visible_organization_ids());
  if not found or cardinality(v_own) = 0 then
    return;
  end if;

  with known as (
    select unnest(s.most_common_elems::text::text[]) as word, unnest(s.most_common_elem_freqs) as share
    from pg_catalog.pg_stats s
    where s.schemaname = 'public' and s.tablename = 'feedback' and s.attname = 'search' and not s.inherited
  ),
  size as (
    select greatest(c.reltuples, 0) as rows, (select min(k.share) from known k) as least
    from pg_catalog.pg_class c where c.oid = 'public.feedback'::regclass
  ),
  own as (
    select w.word, coalesce(k.share, size.least / 2, 0) * size.rows as rows
    from unnest(v_own) as w (word)
    cross join size
    left join known k on k.word = w.word
    where char_length(w.word) between 3 and 60
    order by 2, char_length(w.word) desc, w.word
    limit 24
  ),
  ranked as (
    select o.word, sum(o.rows) over (order by o.rows, char_length(o.word) desc, o.word) as rows,
      row_number() over (order by o.rows, char_length(o.word) desc, o.word) as place
    from own o
  )
  select coalesce(
    -- Any of the rare words; or, where every word is common, the three rarest together.
    (select string_agg(quote_literal(r.word), ' | ') from ranked r where r.rows <= v_budget),
    (select string_agg(quote_literal(r.word), ' & ') from ranked r where r.place <= 3)
  )::tsquery
  into v_query;
  if v_query is null then
    return;
  end if;

  return query
  with candidates as materialized (
    select f.id, f.message, ts_rank(f.search, v_query) as rank
    from public.feedback f
    where f.organization_id = p_organization_id
      and f.search @@ v_query
      and f.project_id = v_project_id
      and f.id <> p_feedback_id
      and f.place in ('inbox', 'archived')
    limit 500
  ),
  closest as (
    select c.id, c.message from candidates c order by c.rank desc limit 25
  ),
  measured as (
    select c.id, w.shared::real / nullif(cardinality(v_own) + w.count - w.shared, 0) as likeness
    from closest c
    cross join lateral (
      select count(*) as count, count(*) filter (where each.word = any (v_own)) as shared
      from unnest(tsvector_to_array(app.make_search(c.message, null, null, '', null))) as each (word)
    ) w
  )
  select m.id, m.likeness::real from measured m
  where m.likeness >= 0.2
  order by m.likeness desc, m.id desc
  limit p_limit;
end
$$;
comment on function app.find_similar_feedback(uuid, uuid, integer) is
  'Items of the same project whose messages share the most words (Jaccard index, from 0.2), likest first, for those who '
  'may see them. Candidates are found by the rarest words, so that the cost does not grow with the table.';
grant execute on function app.find_similar_feedback(uuid, uuid, integer) to authenticated;
