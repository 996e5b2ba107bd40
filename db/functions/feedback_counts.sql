-- Counts of items by facet token.

create or replace function app.list_counted_facets(p_facets tsvector, p_tags text[], p_is_whole boolean) returns setof text
-- Without a search path, so that PostgreSQL inlines it: it is evaluated for every item written.
language sql immutable parallel safe
as $$
  -- Not emails, projects, visitors and time blocks: they have too many values, or a column of their own.
  select substr(u.facet, 7) from unnest(tsvector_to_array(p_facets)) as u (facet)
  where substr(u.facet, 7, 1) not in ('e', 'j', 'v', 'x', 'y')
  union all select 'T' || t.tag from unnest(p_tags) as t (tag)
  union all select '' where p_is_whole
$$;
comment on function app.list_counted_facets(tsvector, text[], boolean) is
  'The tokens of an item that feedback_counts counts, without their prefix; with the empty one if the item itself '
  'counts.';

create or replace function app.get_counted_location(p_location text, p_status text) returns text
-- As app.list_counted_facets.
language sql immutable parallel safe
as $$
  select case when p_location = 'inbox' and p_status in ('resolved', 'closed') then 'done' else p_location end
$$;
comment on function app.get_counted_location(text, text) is
  'The location under which feedback_counts counts an item: open and done items of the inbox apart, so that the '
  'counts of either are exact.';

create or replace function app.count_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.feedback_counts (organization_id, project_id, location, facet, change_id, n)
    select c.organization_id, c.project_id, c.location, c.facet, nextval('app.feedback_count_changes'), c.n
    from (
      select f.organization_id, f.project_id, app.get_counted_location(f.location, f.status) as location, l.facet,
        count(*) as n
      from added f cross join lateral app.list_counted_facets(f.facets, f.tags, true) as l (facet)
      group by 1, 2, 3, 4
    ) c;
  elsif tg_op = 'UPDATE' then
    insert into public.feedback_counts (organization_id, project_id, location, facet, change_id, n)
    with pair as (
      select a.organization_id, a.project_id, l.location, a.facets, a.tags, r.project_id as former_project_id,
        l.former_location, r.facets as former_facets, r.tags as former_tags,
        l.location <> l.former_location or a.project_id <> r.project_id as is_moved
      from added a
      join removed r on r.organization_id = a.organization_id and r.id = a.id
      cross join lateral (
        select app.get_counted_location(a.location, a.status) as location,
          app.get_counted_location(r.location, r.status) as former_location
      ) l
      where a.facets <> r.facets or a.tags <> r.tags
    )
    select c.organization_id, c.project_id, c.location, c.facet, nextval('app.feedback_count_changes'), c.n
    from (
      select s.organization_id, s.project_id, s.location, l.facet, sum(s.delta) as n
      from (
        -- Unchanged tokens are not counted down and up again.
        select p.organization_id, p.project_id, p.location, p.tags, p.is_moved, 1 as delta,
          case when p.is_moved then p.facets else ts_delete(p.facets, tsvector_to_array(p.former_facets)) end as facets
        from pair p
        union all
        select p.organization_id, p.former_project_id, p.former_location, p.former_tags, p.is_moved, -1,
          case when p.is_moved then p.former_facets else ts_delete(p.former_facets, tsvector_to_array(p.facets)) end
        from pair p
      ) s
      cross join lateral app.list_counted_facets(s.facets, s.tags, s.is_moved) as l (facet)
      group by 1, 2, 3, 4
      having sum(s.delta) <> 0
    ) c
    -- Deleting an organisation unassigns its items first; the project is deleted by the time this runs.
    where exists (
      select from public.projects p where p.organization_id = c.organization_id and p.id = c.project_id);
  else
    insert into public.feedback_counts (organization_id, project_id, location, facet, change_id, n)
    select c.organization_id, c.project_id, c.location, c.facet, nextval('app.feedback_count_changes'), -c.n
    from (
      select f.organization_id, f.project_id, app.get_counted_location(f.location, f.status) as location, l.facet,
        count(*) as n
      from removed f cross join lateral app.list_counted_facets(f.facets, f.tags, true) as l (facet)
      group by 1, 2, 3, 4
    ) c
    -- Deleting a project deletes its counts.
    where exists (
      select from public.projects p where p.organization_id = c.organization_id and p.id = c.project_id);
  end if;
  return null;
end
$$;
comment on function app.count_feedback() is
  'Adds the changes of items by facet token, so that a list is counted without being read.';
create or replace trigger count_feedback_added after insert on public.feedback
  referencing new table as added for each statement execute function app.count_feedback();
create or replace trigger count_feedback_changed after update on public.feedback
  referencing old table as removed new table as added for each statement execute function app.count_feedback();
create or replace trigger count_feedback_removed after delete on public.feedback
  referencing old table as removed for each statement execute function app.count_feedback();

create or replace function app.fold_feedback_counts() returns void
language sql security definer set search_path = ''
as $$
  with gone as (
    delete from public.feedback_counts c where c.change_id > 0
    returning c.organization_id, c.project_id, c.location, c.facet, c.n
  )
  insert into public.feedback_counts as c (organization_id, project_id, location, facet, change_id, n)
  select g.organization_id, g.project_id, g.location, g.facet, 0, sum(g.n)
  from gone g
  group by 1, 2, 3, 4
  -- In one order, so that two concurrent calls do not deadlock.
  order by 1, 2, 3, 4
  on conflict (organization_id, project_id, location, facet, change_id) do update set n = c.n + excluded.n
$$;
comment on function app.fold_feedback_counts() is 'Adds up the rows of writers. Changes no sum.';
grant execute on function app.fold_feedback_counts() to service_role;
