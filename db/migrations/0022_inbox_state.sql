-- What each member has read, and what the team has snoozed.

alter table public.memberships add column feedback_read_until timestamptz not null default now();
comment on column public.memberships.feedback_read_until is
  'Items whose visitor last wrote until then are read for this member, unless feedback_reads says otherwise. When the '
  'member joined; moved on by app.compact_feedback_reads.';

alter table public.feedback add column visitor_wrote_at timestamptz;
comment on column public.feedback.visitor_wrote_at is
  'When the visitor last wrote in the conversation; null: not since the item itself. Kept by app.after_comment_insert.';
-- Few visitors write again, so that ingest does not pay for it.
create index feedback_visitor_wrote_idx on public.feedback (organization_id, visitor_wrote_at)
  where visitor_wrote_at is not null;

create table public.feedback_reads (
  organization_id uuid not null,
  feedback_id uuid not null,
  user_id uuid not null,
  seen_at timestamptz not null,
  operation_id uuid,
  former_seen_at timestamptz,
  primary key (organization_id, feedback_id, user_id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
comment on table public.feedback_reads is
  'What members opened or marked since memberships.feedback_read_until. An item without a row is unread for a member '
  'if its visitor wrote after that time: new items cost no row.';
comment on column public.feedback_reads.user_id is
  'No foreign key: it would cost a look-up for every item that is opened. app.on_member_gone deletes the rows.';
comment on column public.feedback_reads.seen_at is
  'Time of the visitor''s latest words that the member has seen; -infinity: marked as unread.';
comment on column public.feedback_reads.operation_id is 'The bulk operation that wrote the row; undo finds its rows by it.';
comment on column public.feedback_reads.former_seen_at is 'seen_at before that operation.';
create index feedback_reads_user_idx on public.feedback_reads (organization_id, user_id);
create index feedback_reads_unread_idx on public.feedback_reads (organization_id, user_id) include (feedback_id)
  where seen_at = '-infinity';

alter table public.feedback_reads enable row level security;
alter table public.feedback_reads force row level security;
grant select, insert, update (seen_at, operation_id, former_seen_at) on public.feedback_reads to authenticated;
grant select, insert on public.feedback_reads to service_role;

-- The owner may be subject to the policies, too.
alter table public.feedback no force row level security;
alter table public.feedback_comments no force row level security;
alter table public.feedback_counts no force row level security;
alter table public.feedback_reads no force row level security;
alter table public.memberships no force row level security;

-- The triggers would record a change of every item.
alter table public.feedback disable trigger user;
update public.feedback f
set visitor_wrote_at = c.wrote_at
from (
  select c.organization_id, c.feedback_id, max(c.created_at) as wrote_at
  from public.feedback_comments c where c.from_visitor group by 1, 2
) c
where f.organization_id = c.organization_id and f.id = c.feedback_id;
alter table public.feedback enable trigger user;

-- Items that no member had opened stay unread for each: of an organisation the newest 500.
insert into public.feedback_reads (organization_id, feedback_id, user_id, seen_at)
select m.organization_id, f.id, m.user_id, '-infinity'
from public.memberships m
cross join lateral (
  select f.id from public.feedback f
  where f.organization_id = m.organization_id and f.location = 'inbox' and f.first_viewed_at is null
  order by f.created_at desc limit 500
) f;

-- Snoozed items are a location. In the migration and not in db/functions: columns store the results. See 0007_feedback.sql.
alter table public.feedback add column snoozed_until timestamptz;
comment on column public.feedback.snoozed_until is
  'When it comes back to the inbox: app.wake_feedback then empties this. Null: not snoozed.';
create index feedback_snoozed_idx on public.feedback (snoozed_until) where snoozed_until is not null;
grant update (snoozed_until) on public.feedback to authenticated;

create function app.get_location(
  p_deleted_at timestamptz, p_merged_into uuid, p_spam_reason text, p_archived_at timestamptz, p_snoozed_until timestamptz)
returns text
language sql immutable parallel safe
as $$
  select case
    when p_deleted_at is not null then 'trash'
    when p_merged_into is not null then 'merged'
    when p_spam_reason is not null then 'spam'
    when p_archived_at is not null then 'archived'
    when p_snoozed_until is not null then 'snoozed'
    else 'inbox'
  end
$$;
comment on function app.get_location(timestamptz, uuid, text, timestamptz, timestamptz) is 'The location of an item.';
grant execute on function app.get_location(timestamptz, uuid, text, timestamptz, timestamptz)
  to authenticated, service_role;

-- Spam has the letter s.
create or replace function app.get_facet_prefix(p_organization_id uuid, p_location text) returns text
language sql immutable parallel safe
as $$
  select right(p_organization_id::text, 5) || case p_location when 'snoozed' then 'z' else left(p_location, 1) end
$$;

-- Facet tokens are without `unread`.
create function app.make_facets(
  p_prefix text, p_project_id uuid, p_type text, p_source text, p_status text, p_priority text, p_assignee_user_id uuid,
  p_message text, p_rating smallint, p_media_kinds text[], p_tags text[], p_visitor_id text, p_visitor_email text,
  p_created_at timestamptz, p_updated_at timestamptz, p_last_reply_by text)
returns tsvector
language sql immutable parallel safe
as $$
  select array_to_tsvector(
    string_to_array(
      substr(replace(
        E'\nj' || p_project_id::text || E'\ns' || p_status || E'\np' || p_priority || E'\nk' || p_type || E'\no' || p_source
          || E'\na' || coalesce(p_assignee_user_id::text, 'none')
          || case when p_updated_at <> p_created_at then E'\n!touched' else E'\n!fresh' end
          || E'\nx' || (extract(epoch from p_created_at at time zone 'utc')::bigint >> 16)::text
          || E'\ny' || (extract(epoch from p_created_at at time zone 'utc')::bigint >> 20)::text
          || case when p_message <> '' then E'\nmtext' else '' end
          || case when p_rating is null then '' else E'\nr' || p_rating::text end
          || case
            when p_last_reply_by = 'visitor' or p_last_reply_by is null and p_visitor_email <> '' then E'\nunanswered'
            else ''
          end
          || case
            when p_visitor_id is not null then E'\nv' || replace(p_visitor_id, E'\n', ' ')
            when p_visitor_email <> '' then E'\ne' || lower(replace(p_visitor_email, E'\n', ' '))
            else ''
          end,
        E'\n', E'\n' || p_prefix), 2),
      E'\n')
    || case
      when p_media_kinds = '{}' and p_tags = '{}' then '{}'::text[]
      else app.make_list_facets(p_prefix, p_media_kinds, p_tags)
    end)
$$;
comment on function app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[], text,
  text, timestamptz, timestamptz, text) is
  'Facet tokens of an item. After the prefix: j project, s status, p priority, k type, o source, a assignee, !touched or '
  '!fresh, x and y time of receipt in blocks of 2^16 and 2^20 seconds, m kind of content, r rating, unanswered, '
  'v visitor id, e email, t tag.';
grant execute on function app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[],
  text, text, timestamptz, timestamptz, text) to authenticated, service_role;

-- Their indexes are dropped with the columns, and made again afterwards: writing them row by row takes longer.
alter table public.feedback drop column facets, drop column location;
drop function app.get_location(timestamptz, uuid, text, timestamptz);
drop function app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[], text, text,
  timestamptz, timestamptz, timestamptz, text);
alter table public.feedback
  add column location text not null generated always as (
    app.get_location(deleted_at, merged_into, spam_reason, archived_at, snoozed_until)) stored,
  add column facets tsvector not null generated always as (
    app.make_facets(
      app.get_facet_prefix(
        organization_id, app.get_location(deleted_at, merged_into, spam_reason, archived_at, snoozed_until)),
      project_id, type, source, status, priority, assignee_user_id, message, rating, media_kinds, tags, visitor_id,
      visitor_email, created_at, updated_at, last_reply_by)) stored;
comment on column public.feedback.location is 'inbox, snoozed, archived, spam, trash or merged.';
comment on column public.feedback.facets is
  'Facet tokens: one for each value that a filter can select. Generated, so that it always matches the row.';
create index feedback_location_idx on public.feedback (organization_id, location, created_at desc, id desc);
create index feedback_location_filter_idx on public.feedback
  (organization_id, location, status, priority, type, created_at desc, id desc) include (project_id);
create index feedback_location_project_idx on public.feedback
  (organization_id, project_id, location, status, priority, type, created_at desc, id desc);
create index feedback_touched_idx on public.feedback (organization_id, location, updated_at desc, id desc)
  where updated_at <> created_at;
create index feedback_search_idx on public.feedback using gin (organization_id, facets, search);
delete from public.feedback_counts where facet = 'unread';

alter table public.memberships force row level security;
alter table public.feedback_reads force row level security;
alter table public.feedback_counts force row level security;
alter table public.feedback_comments force row level security;
alter table public.feedback force row level security;
