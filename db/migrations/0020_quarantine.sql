-- Inbox and quarantine apart: neither is slower for what lies in the other.

drop index public.feedback_inbox_idx;
drop index public.feedback_inbox_filter_idx;
drop index public.feedback_inbox_project_idx;
create index feedback_inbox_idx on public.feedback (organization_id, created_at desc, id desc)
  where spam_reason is null;
create index feedback_inbox_filter_idx on public.feedback
  (organization_id, status, priority, type, created_at desc, id desc)
  where spam_reason is null;
create index feedback_inbox_project_idx on public.feedback
  (organization_id, project_id, status, priority, type, created_at desc, id desc)
  where spam_reason is null;

drop function app.search_feedback(uuid, text, uuid[], text[], text[], text[], timestamptz, uuid, integer);
create function app.search_feedback(
  p_organization_id uuid, p_query text, p_project_ids uuid[], p_statuses text[], p_priorities text[], p_types text[],
  p_before_created_at timestamptz, p_before_id uuid, p_limit integer, p_spam boolean)
returns table (id uuid, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select f.id, f.created_at
  from public.feedback f
  where f.organization_id = p_organization_id
    and p_organization_id in (select app.visible_organization_ids())
    and f.search @@ p_query::tsquery
    and (f.spam_reason is not null) = p_spam
    and (p_project_ids is null or f.project_id = any (p_project_ids))
    and (p_statuses is null or f.status = any (p_statuses))
    and (p_priorities is null or f.priority = any (p_priorities))
    and (p_types is null or f.type = any (p_types))
    and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
  order by f.created_at desc, f.id desc
  limit p_limit
$$;
comment on function app.search_feedback(uuid, text, uuid[], text[], text[], text[], timestamptz, uuid, integer, boolean) is
  'Newest items of an organisation, in quarantine or not, that match a text query and filters (null: any), for those who '
  'may see it.';
grant execute on function
  app.search_feedback(uuid, text, uuid[], text[], text[], text[], timestamptz, uuid, integer, boolean) to authenticated;

create or replace function app.fill_in_search() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.search := app.make_search(
    new.message || coalesce((
      select ' ' || string_agg(a.value #>> '{}', ' ') from jsonb_each(new.fields) a where jsonb_typeof(a.value) = 'string'), ''),
    new.visitor_email, new.visitor_name, new.page_url, new.page_title);
  return new;
end
$$;
drop trigger refill_search on public.feedback;
create trigger refill_search before update of message, visitor_email, visitor_name, page_url, page_title, fields
  on public.feedback
  for each row execute function app.fill_in_search();
