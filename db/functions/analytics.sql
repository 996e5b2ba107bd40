-- Marks of days whose sums have to be recomputed, and the job that recomputes them: analytics' own triggers. They are no
-- events, because a mark is part of the change. New items are marked by a subscriber, so that ingest pays nothing.

create or replace function app.mark_changed_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.feedback_day_marks (organization_id, day, is_whole)
  select d.organization_id, (d.at at time zone 'utc')::date, bool_or(d.is_whole)
  from (
    select n.organization_id,
      unnest(case when n.created_at = o.created_at then array[n.created_at] else array[n.created_at, o.created_at] end) as at,
      (n.location, n.spam_reason, n.project_id, n.created_at, n.page_url)
        is distinct from (o.location, o.spam_reason, o.project_id, o.created_at, o.page_url) as is_whole
    from changed n
    join former o on o.organization_id = n.organization_id and o.id = n.id
    -- Spam apart from the location: spam that is merged has the location merged, and is not counted either.
    where (n.location, n.spam_reason, n.project_id, n.created_at, n.page_url, n.type, n.source, n.status, n.priority,
        n.assignee_user_id, n.rating, n.nps, n.first_viewed_at, n.first_response_at, n.resolved_at)
      is distinct from (o.location, o.spam_reason, o.project_id, o.created_at, o.page_url, o.type, o.source, o.status,
        o.priority, o.assignee_user_id, o.rating, o.nps, o.first_viewed_at, o.first_response_at, o.resolved_at)
  ) d
  group by 1, 2;
  -- A bulk operation enqueues the job itself, once, at its end: counting meanwhile would repeat work and delay it.
  -- Without a key: jobs of one key are one row, at which all writers of items would wait for each other.
  if found and coalesce(current_setting('app.operation_id', true), '') = ''
    and coalesce(current_setting('app.undone_operation_id', true), '') = '' then
    perform app.enqueue_job('refresh_analytics', '{}');
  end if;
  return null;
end
$$;
comment on function app.mark_changed_feedback() is 'Marks the days whose sums a change of items affects.';
create or replace trigger mark_changed_feedback after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.mark_changed_feedback();

create or replace function app.mark_deleted_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.feedback_day_marks (organization_id, day, is_whole)
  select distinct o.organization_id, (o.created_at at time zone 'utc')::date, true from former o;
  if found then
    perform app.enqueue_job('refresh_analytics', '{}');
  end if;
  return null;
end
$$;
comment on function app.mark_deleted_feedback() is 'Marks the days whose items were permanently deleted.';
create or replace trigger mark_deleted_feedback after delete on public.feedback
  referencing old table as former
  for each statement execute function app.mark_deleted_feedback();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists feedback_days_select on public.feedback_days;
create policy feedback_days_select on public.feedback_days for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists feedback_day_values_select on public.feedback_day_values;
create policy feedback_day_values_select on public.feedback_day_values for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists widget_days_select on public.widget_days;
create policy widget_days_select on public.widget_days for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists feedback_day_marks_service on app.feedback_day_marks;
create policy feedback_day_marks_service on app.feedback_day_marks to service_role using (id is not null) with check (id is not null);
