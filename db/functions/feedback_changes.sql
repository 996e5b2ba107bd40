-- Domain events of items, recorded by triggers, so that every way of changing an item records them.

create or replace function app.record_feedback_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_operation constant text := coalesce(
    nullif(current_setting('app.operation_id', true), ''), nullif(current_setting('app.undone_operation_id', true), ''));
  v_details constant jsonb := case when v_operation is null then '{}' else jsonb_build_object('operationId', v_operation) end;
  -- A change of many items sends one live message at the end of its turn.
  v_announced constant text := case when v_operation is null then 'commit' else 'never' end;
  v record;
begin
  for v in
    select n.organization_id,
      array_agg(n.id) filter (where n.status <> o.status) as status_ids,
      jsonb_agg(jsonb_build_object('id', n.id, 'from', o.status, 'to', n.status)) filter (where n.status <> o.status) as changes,
      array_agg(n.id) filter (where c.is_updated) as updated_ids,
      array_remove(array[
        case when bool_or(n.archived_at is distinct from o.archived_at) then 'archived' end,
        case when bool_or(n.assignee_user_id is distinct from o.assignee_user_id) then 'assignee' end,
        case when bool_or(c.is_closed_otherwise) then 'closedReason' end,
        case when bool_or(n.deleted_at is distinct from o.deleted_at) then 'deleted' end,
        case when bool_or(n.merged_into is distinct from o.merged_into) then 'merged' end,
        case when bool_or(n.priority <> o.priority) then 'priority' end,
        case when bool_or(n.spam_reason is distinct from o.spam_reason) then 'spam' end,
        case when bool_or(n.snoozed_until is distinct from o.snoozed_until) then 'snoozed' end,
        case when bool_or(n.tags <> o.tags) then 'tags' end,
        case when bool_or(n.first_viewed_at is distinct from o.first_viewed_at) then 'viewed' end
      ], null) as fields
    from changed n
    join former o on o.organization_id = n.organization_id and o.id = n.id
    cross join lateral (
      select n.status = o.status and n.closed_reason is distinct from o.closed_reason as is_closed_otherwise,
        (n.archived_at, n.assignee_user_id, n.deleted_at, n.merged_into, n.priority, n.spam_reason, n.tags, n.first_viewed_at,
          n.snoozed_until)
          is distinct from
        (o.archived_at, o.assignee_user_id, o.deleted_at, o.merged_into, o.priority, o.spam_reason, o.tags, o.first_viewed_at,
          o.snoozed_until)
        or n.status = o.status and n.closed_reason is distinct from o.closed_reason as is_updated
    ) c
    -- An item that is unlocked is announced as new.
    where (n.status <> o.status or c.is_updated) and not (o.locked and not n.locked)
    group by n.organization_id
    -- Items that go with their organisation lose their assignee first.
    having exists (select from public.organizations g where g.id = n.organization_id)
  loop
    if v.status_ids is not null then
      perform app.write_event(v.organization_id, 'feedback.status_changed', v.status_ids,
        v_details || jsonb_build_object('changes', v.changes), v_announced);
    end if;
    if v.updated_ids is not null then
      perform app.write_event(v.organization_id, 'feedback.updated', v.updated_ids,
        v_details || jsonb_build_object('fields', v.fields), v_announced);
    end if;
  end loop;
  return null;
end
$$;
comment on function app.record_feedback_changes() is 'Records which items have another status, and what else changed of which.';
create or replace trigger record_feedback_changes after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.record_feedback_changes();

create or replace function app.record_feedback_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v record;
begin
  for v in select o.organization_id, array_agg(o.id) as ids from former o group by o.organization_id loop
    -- Retention and deleted projects remove items by the thousand. The trash and erasures announce their deletions.
    perform app.write_event(v.organization_id, 'feedback.deleted', v.ids, '{}', 'never');
  end loop;
  return null;
end
$$;
comment on function app.record_feedback_deletion() is 'Records which items were permanently deleted.';
create or replace trigger record_feedback_deletion after delete on public.feedback
  referencing old table as former
  for each statement execute function app.record_feedback_deletion();
