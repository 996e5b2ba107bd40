-- Unanswered items: visitors who left an address or wrote again, and whom the team has not answered since.

-- In the migration and not in db/functions: the column facets stores its results. See 0007_feedback.sql.
create function app.make_facets(
  p_prefix text, p_project_id uuid, p_type text, p_source text, p_status text, p_priority text, p_assignee_user_id uuid,
  p_message text, p_rating smallint, p_media_kinds text[], p_tags text[], p_visitor_id text, p_visitor_email text,
  p_created_at timestamptz, p_updated_at timestamptz, p_first_viewed_at timestamptz, p_last_reply_by text)
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
          || case when p_first_viewed_at is null then E'\nunread' else '' end
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
  text, timestamptz, timestamptz, timestamptz, text) is
  'Facet tokens of an item. After the prefix: j project, s status, p priority, k type, o source, a assignee, !touched or '
  '!fresh, x and y time of receipt in blocks of 2^16 and 2^20 seconds, m kind of content, r rating, unread, unanswered, '
  'v visitor id, e email, t tag.';
grant execute on function app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[],
  text, text, timestamptz, timestamptz, timestamptz, text) to authenticated, service_role;

alter table public.feedback
  add column last_reply_by text constraint feedback_last_reply_check check (last_reply_by in ('team', 'visitor'));
comment on column public.feedback.last_reply_by is
  'Who wrote the latest public message after the item itself; null: no one. Kept by app.after_comment_insert.';

-- The owner may be subject to the policies, too. The triggers would record a change of every item.
alter table public.feedback no force row level security;
alter table public.feedback_comments no force row level security;
alter table public.feedback disable trigger user;
update public.feedback f
set last_reply_by = r.last_reply_by
from (
  select distinct on (c.organization_id, c.feedback_id) c.organization_id, c.feedback_id,
    case when c.from_visitor and c.solved is not true then 'visitor' else 'team' end as last_reply_by
  from public.feedback_comments c
  where c.kind = 'reply'
  order by c.organization_id, c.feedback_id, c.created_at desc, c.id desc
) r
where f.organization_id = r.organization_id and f.id = r.feedback_id;
alter table public.feedback enable trigger user;

-- Its index is dropped with the column, and made again afterwards: writing it row by row takes longer.
alter table public.feedback drop column facets;
drop function app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[], text, text,
  timestamptz, timestamptz, timestamptz);
alter table public.feedback add column facets tsvector not null generated always as (
  app.make_facets(
    app.get_facet_prefix(organization_id, app.get_location(deleted_at, merged_into, spam_reason, archived_at)),
    project_id, type, source, status, priority, assignee_user_id, message, rating, media_kinds, tags, visitor_id,
    visitor_email, created_at, updated_at, first_viewed_at, last_reply_by)) stored;
comment on column public.feedback.facets is
  'Facet tokens: one for each value that a filter can select. Generated, so that it always matches the row.';
create index feedback_search_idx on public.feedback using gin (organization_id, facets, search);

-- Counts of open and of done items apart.
comment on table public.feedback_counts is
  'Items by project, location and facet token (see feedback.facets): the sum of n. Resolved and closed items of the '
  'inbox are counted under the location done. The empty token counts all items, T… a tag as written.';
alter table public.feedback_counts no force row level security;
do $$
begin
  -- A new database has neither items nor the function yet.
  if exists (select from public.feedback) then
    delete from public.feedback_counts;
    insert into public.feedback_counts (organization_id, project_id, location, facet, change_id, n)
    select f.organization_id, f.project_id,
      case when f.location = 'inbox' and f.status in ('resolved', 'closed') then 'done' else f.location end,
      l.facet, 0, count(*)
    from public.feedback f cross join lateral app.list_counted_facets(f.facets, f.tags, true) as l (facet)
    group by 1, 2, 3, 4;
  end if;
end
$$;
alter table public.feedback_counts force row level security;
alter table public.feedback_comments force row level security;
alter table public.feedback force row level security;
