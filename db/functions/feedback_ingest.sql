-- Ingest: submissions are stored a batch at a time, in one call.

drop function if exists app.hold_back;
drop type if exists app.incoming_feedback;
drop type if exists app.submission;

-- One element of a batch: the keys of its JSON. A type of its own, so that columns which only the team fills can be added
-- to the table without a word about ingest.
create type app.submission as (
  organization_id uuid,
  project_id uuid,
  id uuid,
  type text,
  source text,
  message text,
  answers text,
  rating smallint,
  nps smallint,
  fields jsonb,
  consent boolean,
  tags text[],
  visitor_email text,
  visitor_name text,
  visitor_id text,
  visitor_verified boolean,
  visitor_key_hash bytea,
  page_url text,
  page_title text,
  context jsonb,
  metadata jsonb,
  content_hash bytea,
  spam_reason text,
  attachments json
);
comment on type app.submission is
  'A submission as the server hands it over. attachments: a list of {id, kind, name, duration_ms}.';

-- A submission with what is derived from it before the project's counter is locked. locked: it is over the limit, and its
-- content stands apart.
create type app.incoming_feedback as (
  sent app.submission, search tsvector, media_kinds text[], locked boolean, content jsonb);

create or replace function app.hold_back(p_rows app.incoming_feedback[], p_ids uuid[]) returns app.incoming_feedback[]
language plpgsql security definer set search_path = ''
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := '{}';
  v_rooms bigint[] := '{}';
  v_ended uuid[] := '{}';
  v_id uuid;
  v_rows app.incoming_feedback[];
begin
  -- In one order for all, so that no two writers deadlock.
  for v_id in select i.id from unnest(p_ids) as i (id) order by i.id loop
    v_ids := v_ids || v_id;
    v_rooms := v_rooms || app.hold_item_room(v_id);
    if app.is_ended(v_id) then
      v_ended := v_ended || v_id;
    end if;
  end loop;
  select array_agg(
    case
      when d.is_over then (
        json_populate_record(d.sent, '{"message": "", "answers": null, "rating": null, "nps": null, "fields": {},
          "consent": null, "tags": [], "visitor_email": null, "visitor_name": null, "visitor_id": null,
          "visitor_verified": false, "page_url": "", "page_title": null, "context": {}, "metadata": {},
          "attachments": null}'),
        ''::tsvector, '{}', true,
        to_jsonb(d.sent) - '{organization_id,project_id,id,type,source,answers,content_hash,spam_reason,visitor_key_hash}'::text[]
      )::app.incoming_feedback
      else (d.sent, d.search, d.media_kinds, false, null)::app.incoming_feedback
    end
    order by d.position)
  into v_rows
  from (
    select n.*, n.is_new and (
        (n.sent).organization_id = any (v_ended)
        -- Spam uses up nothing, and is found in its own tab.
        or (n.sent).spam_reason is null and coalesce(
          count(*) filter (where n.is_new and (n.sent).spam_reason is null)
            over (partition by (n.sent).organization_id order by n.position) > h.room, false)) as is_over
    from (
      select r.sent, r.search, r.media_kinds, r.ordinality as position, not exists (
        -- A retry has its place already.
        select from public.feedback f
        where f.organization_id = (r.sent).organization_id and f.id = (r.sent).id) as is_new
      from unnest(p_rows) with ordinality as r
    ) n
    left join unnest(v_ids, v_rooms) as h (id, room) on h.id = (n.sent).organization_id
  ) d;
  return v_rows;
end
$$;
comment on function app.hold_back(app.incoming_feedback[], uuid[]) is
  'The submissions of a batch in their order; of these organisations, those over the limit of items and all of suspended ones without their content, '
  'which stands apart. Who asks next waits until this transaction ends.';

create or replace function app.store_submissions(p_batch json)
returns table (outcome text, number bigint)
language plpgsql security definer set search_path = ''
-- A batch of thirty spends a third of its time on planning where its statements are planned each time. Plans that are kept may be
-- made for empty tables. So the statements of every batch read no table but by its whole key, which has one good plan.
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_rows app.incoming_feedback[];
  v_has_files boolean;
  v_month constant date := date_trunc('month', now() at time zone 'UTC');
  v_organization_id uuid;
  v_project_id uuid;
  v_project_ids uuid[] := '{}';
  v_last bigint;
  v_lasts bigint[] := '{}';
  -- Of each submission in the order of the batch: the number that it gets, and what is stored under its id already.
  v_numbers bigint[];
  v_stored_numbers bigint[] := '{}';
  v_stored_hashes bytea[] := '{}';
  v_ids uuid[];
  v_items bigint;
  v_is_locked boolean;
  v_standing text;
  v_is_suspended boolean;
  v_plan_id uuid;
  v_billed uuid[] := '{}';
  v_planned uuid[] := '{}';
  v_near uuid[] := '{}';
begin
  -- Half of the work, done before another batch has to wait: reading this one, and making the words to search by.
  -- The function's rows are aggregated as they come, which is the order of the batch.
  select
    array_agg((
      s,
      app.make_search(s.message || s.answers, s.visitor_email, s.visitor_name, s.page_url, s.page_title),
      case
        when s.attachments is null then '{}'
        else array(select distinct a.file ->> 'kind' from json_array_elements(s.attachments) as a (file))
      end,
      false,
      null
    )::app.incoming_feedback),
    bool_or(s.attachments is not null)
  into v_rows, v_has_files
  from json_populate_recordset(null::app.submission, p_batch) as s;

  -- Every writer of a project waits here, in one order for all: numbers follow each other, and no two writers deadlock.
  for v_organization_id, v_project_id in
    select distinct (r.sent).organization_id, (r.sent).project_id from unnest(v_rows) as r order by 1, 2
  loop
    select c.last_number into v_last from public.project_counters c
    where c.organization_id = v_organization_id and c.project_id = v_project_id
    for no key update;
    continue when not found;
    v_project_ids := v_project_ids || v_project_id;
    v_lasts := v_lasts || v_last;
  end loop;

  -- Whom to count for, and who may be over the limit. Far from it nothing is locked: other batches under way can't reach it.
  -- Each organisation by itself, with plans that are kept: all are look-ups by key.
  for v_organization_id, v_items in
    select (r.sent).organization_id, count(*) from unnest(v_rows) as r group by 1 order by 1
  loop
    select app.find_standing(o.subscription_status, o.trial_ends_at), o.subscription_plan_id, o.suspended_at is not null
    into v_standing, v_plan_id, v_is_suspended
    from public.organizations o where o.id = v_organization_id;
    continue when not found;
    if v_is_suspended then
      v_near := v_near || v_organization_id;
    end if;
    continue when v_standing = 'self_hosted';
    v_billed := v_billed || v_organization_id;
    continue when v_is_suspended;
    if v_standing = 'ended' then
      v_near := v_near || v_organization_id;
    elsif v_standing = 'plan' then
      v_planned := v_planned || v_organization_id;
      if exists (
        select from public.plans p
        left join public.item_months m on m.organization_id = v_organization_id and m.month = v_month
        where p.id = v_plan_id and p.max_items_per_month - coalesce(m.counted, 0) < v_items + 2000)
      then
        v_near := v_near || v_organization_id;
      end if;
    end if;
  end loop;
  if v_near <> '{}' then
    v_rows := app.hold_back(v_rows, v_near);
  end if;

  -- Nearly always all are new. Where one is not, a number would be left out: then nothing of the insert is kept, and those that are
  -- stored are looked up. Again, where another project of the organisation has just taken an id.
  for v_attempt in 1 .. 10 loop
    select array_agg(n.number order by n.position) into v_numbers
    from (
      select r.ordinality as position,
        case when v_stored_numbers[r.ordinality] is null then
          c.last + row_number() over (
            partition by (r.sent).project_id, v_stored_numbers[r.ordinality] is null order by r.ordinality)
        end as number
      from unnest(v_rows) with ordinality as r
      left join unnest(v_project_ids, v_lasts) as c (project_id, last) on c.project_id = (r.sent).project_id
    ) n;
    begin
      insert into public.feedback as f (
        organization_id, id, project_id, number, type, source, message, rating, visitor_email, visitor_name, page_url,
        page_title, context, metadata, content_hash, search, nps, fields, consent, tags, visitor_id, visitor_verified,
        visitor_key_hash, spam_reason, media_kinds, locked)
      select
        (r.sent).organization_id, (r.sent).id, (r.sent).project_id, v_numbers[r.ordinality],
        (r.sent).type, (r.sent).source, (r.sent).message, (r.sent).rating, (r.sent).visitor_email, (r.sent).visitor_name,
        (r.sent).page_url, (r.sent).page_title, (r.sent).context, (r.sent).metadata, (r.sent).content_hash, r.search,
        (r.sent).nps, (r.sent).fields, (r.sent).consent, (r.sent).tags, (r.sent).visitor_id, (r.sent).visitor_verified,
        (r.sent).visitor_key_hash, (r.sent).spam_reason, r.media_kinds, r.locked
      from unnest(v_rows) with ordinality as r
      where v_numbers[r.ordinality] is not null
      on conflict (organization_id, id) do nothing;
      get diagnostics v_items = row_count;
      if v_items < cardinality(array_remove(v_numbers, null)) then
        raise exception using errcode = 'ER001';
      end if;
      exit;
    exception when sqlstate 'ER001' then
      if v_attempt = 10 then
        raise exception 'an id stands twice in a batch';
      end if;
      -- Planned each time, by EXECUTE: a plan made for an empty table, where every index costs the same, would be kept and read all
      -- of the organisation's items for each row.
      execute $q$
      select array_agg(f.number order by r.ordinality), array_agg(f.content_hash order by r.ordinality)
      from unnest($1) with ordinality as r
      left join lateral (
        select f.number, f.content_hash from public.feedback f
        where f.organization_id = (r.sent).organization_id and f.id = (r.sent).id limit 1) f on true
      $q$ into v_stored_numbers, v_stored_hashes using v_rows;
    end;
  end loop;

  for v_organization_id, v_project_id, v_last, v_items in
    select (r.sent).organization_id, (r.sent).project_id, max(v_numbers[r.ordinality]), count(*)
    from unnest(v_rows) with ordinality as r
    where v_numbers[r.ordinality] is not null
    group by 1, 2
  loop
    update public.project_counters c set last_number = v_last, feedback_count = c.feedback_count + v_items
    where c.organization_id = v_organization_id and c.project_id = v_project_id;
  end loop;
  -- In one order for all, so that no two batches deadlock.
  for v_organization_id, v_is_locked, v_ids, v_items in
    select (r.sent).organization_id, r.locked, array_agg((r.sent).id order by r.ordinality),
      count(*) filter (where (r.sent).spam_reason is null)
    from unnest(v_rows) with ordinality as r
    where v_numbers[r.ordinality] is not null
    group by 1, 2
    order by 1, 2
  loop
    -- Announced when it is dispatched: a NOTIFY here would make the commits of all batches queue.
    -- A locked item is told of when it is unlocked.
    perform app.write_event(v_organization_id, case when v_is_locked then 'feedback.locked' else 'feedback.created' end,
      v_ids, '{}', 'dispatch');
    if v_organization_id = any (v_billed) then
      perform app.count_items(v_organization_id, v_month, v_items,
        case when not v_is_locked and v_organization_id = any (v_planned) then v_items else 0 end);
    end if;
  end loop;

  return query
  select
    case
      when v_numbers[r.ordinality] is not null then 'stored'
      when v_stored_hashes[r.ordinality] = (r.sent).content_hash then 'replayed'
      when v_stored_numbers[r.ordinality] is not null then 'reused'
      else 'gone'
    end,
    coalesce(v_numbers[r.ordinality], v_stored_numbers[r.ordinality])
  from unnest(v_rows) with ordinality as r
  order by r.ordinality;

  if v_near <> '{}' then
    insert into app.locked_feedback (organization_id, id, month, content)
    select f.organization_id, f.id, v_month, r.content
    from unnest(v_rows) as r
    join public.feedback f on f.organization_id = (r.sent).organization_id and f.id = (r.sent).id and f.locked
    where r.locked
    on conflict do nothing;
  end if;

  -- Few submissions bring files, and only those pay for them. The same content has the same files, so a retry adds none.
  if v_has_files then
    execute $q$
    insert into public.feedback_attachments
      (organization_id, id, feedback_id, kind, name, position, duration_ms, missing)
    select f.organization_id, a.id, f.id, a.kind, a.name, a.position - 1, a.duration_ms, coalesce(a.missing, '{}')
    from unnest($1) as r
    join public.feedback f on f.organization_id = (r.sent).organization_id and f.id = (r.sent).id
      and f.content_hash = (r.sent).content_hash
    cross join lateral rows from (
      json_to_recordset((r.sent).attachments)
        as (id uuid, kind text, name text, duration_ms integer, missing text[])
    ) with ordinality as a (id, kind, name, duration_ms, missing, position)
    -- A retry of a locked item names its files again.
    where (r.sent).attachments is not null and not f.locked
    -- A file belongs to the item that announced it first.
    on conflict (organization_id, id) do nothing
    $q$ using v_rows;
    if v_near <> '{}' then
      insert into app.locked_files (organization_id, id, feedback_id)
      select l.organization_id, (a.file ->> 'id')::uuid, l.id
      from unnest(v_rows) as r
      join app.locked_feedback l on l.organization_id = (r.sent).organization_id and l.id = (r.sent).id
      cross join lateral jsonb_array_elements(
        case jsonb_typeof(l.content -> 'attachments') when 'array' then l.content -> 'attachments' else '[]' end) as a (file)
      where r.locked
      on conflict do nothing;
    end if;
  end if;
end
$$;
comment on function app.store_submissions(json) is
  'Stores submissions, each id once: numbers them per project, counts them, locks those over the limit of a plan, and '
  'records one event for those that are new. Outcomes, in the order of the batch: stored; replayed (it was already there); reused (its id stands '
  'for other content); gone (its project is deleted). '
  'Granted to the powerless role, so that a batch is one round trip and its own transaction.';
grant execute on function app.store_submissions(json) to authenticator;

create or replace function app.tidy_search_index() returns void
language sql volatile security definer set search_path = ''
as $$
  select pg_catalog.gin_clean_pending_list('public.feedback_search_idx'::regclass)
$$;
comment on function app.tidy_search_index() is
  'Moves recent additions to the search index from its waiting list into the index. PostgreSQL does so by itself once '
  'the list is long, in the middle of an insert, and every insert of that project then waits for it.';
grant execute on function app.tidy_search_index() to service_role;
