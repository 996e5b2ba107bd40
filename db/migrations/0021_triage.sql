-- What a team does with an item: assigns, tags, archives, merges it, throws it away and takes all of that back.

alter table public.feedback
  add column assignee_user_id uuid,
  add column archived_at timestamptz,
  add column deleted_at timestamptz,
  add column merged_into uuid check (merged_into <> id),
  add column first_response_at timestamptz,
  add constraint feedback_assignee_fkey foreign key (organization_id, assignee_user_id)
    references public.memberships (organization_id, user_id) on delete set null (assignee_user_id),
  add constraint feedback_merged_fkey foreign key (organization_id, merged_into)
    references public.feedback (organization_id, id) on delete set null (merged_into);
-- In a statement of its own: it reads the columns above.
alter table public.feedback
  add column place text not null generated always as (
    case
      when deleted_at is not null then 'trash'
      when merged_into is not null then 'merged'
      when spam_reason is not null then 'spam'
      when archived_at is not null then 'archived'
      else 'inbox'
    end) stored;
comment on column public.feedback.assignee_user_id is 'The member who looks after it.';
comment on column public.feedback.deleted_at is 'Thrown away then, and for good thirty days later; null: it was not.';
comment on column public.feedback.merged_into is 'The item that this one is a duplicate of; null: it stands for itself.';
comment on column public.feedback.first_response_at is 'When a member first answered the visitor.';
comment on column public.feedback.place is 'Where it is found: inbox, archived, spam, trash, or merged into another.';
create index feedback_assignee_idx on public.feedback (organization_id, assignee_user_id, created_at desc, id desc)
  where assignee_user_id is not null;
create index feedback_merged_idx on public.feedback (organization_id, merged_into) where merged_into is not null;
create index feedback_trash_idx on public.feedback (deleted_at) where deleted_at is not null;

grant update (assignee_user_id, tags, archived_at, deleted_at, merged_into, first_response_at)
  on public.feedback to authenticated;

alter table public.feedback_events
  add column operation_id uuid,
  add column version integer,
  add column resolved_at timestamptz;
comment on column public.feedback_events.operation_id is
  'The change of many items that this one belongs to: by it the whole is undone. Null: it was changed alone.';
comment on column public.feedback_events.version is
  'The item''s version after this change: while it has that, nobody has changed it since. Null: older than this column.';
comment on column public.feedback_events.resolved_at is
  'With a change of status: since when the item had been resolved before, so that undoing can say so again.';
create index feedback_events_operation_idx on public.feedback_events (organization_id, operation_id, feedback_id)
  where operation_id is not null;

create or replace function app.before_feedback_update() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_undone constant uuid := nullif(current_setting('app.undone_operation_id', true), '')::uuid;
begin
  if (new.status, new.closed_reason, new.priority, new.spam_reason, new.assignee_user_id, new.tags, new.archived_at,
      new.deleted_at, new.merged_into)
    is distinct from (old.status, old.closed_reason, old.priority, old.spam_reason, old.assignee_user_id, old.tags,
      old.archived_at, old.deleted_at, old.merged_into) then
    new.version := old.version + 1;
    new.updated_at := now();
    if new.status not in ('resolved', 'closed') then
      new.resolved_at := null;
    elsif old.resolved_at is null then
      new.resolved_at := now();
      -- Undoing: it is resolved since when it was, not since now.
      if v_undone is not null then
        new.resolved_at := coalesce((
          select e.resolved_at from public.feedback_events e
          where e.organization_id = new.organization_id and e.operation_id = v_undone and e.feedback_id = new.id
            and e.field = 'status'), new.resolved_at);
      end if;
    end if;
  end if;
  return new;
end
$$;

-- Once per statement, not once per row: ten thousand items are changed at a time.
drop trigger after_feedback_update on public.feedback;
create or replace function app.after_feedback_update() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Asked once, not for each of ten thousand items.
  v_actor constant uuid := auth.uid();
  v_operation constant uuid := nullif(current_setting('app.operation_id', true), '')::uuid;
begin
  insert into public.feedback_events
    (organization_id, feedback_id, actor_user_id, field, from_value, to_value, operation_id, version, resolved_at)
  select n.organization_id, n.id, v_actor, c.field, c.from_value, c.to_value, v_operation, n.version,
    case c.field when 'status' then o.resolved_at end
  from changed n
  join former o on o.organization_id = n.organization_id and o.id = n.id and o.version <> n.version
  -- Lists and no VALUES: those are prepared anew for each item, which takes longer than to compare it.
  cross join lateral unnest(
    '{status,closed_reason,priority,spam,assignee,tags,archived,deleted,merged}'::text[],
    -- Tags as JSON, because one may hold any character.
    array[o.status, o.closed_reason, o.priority, o.spam_reason, o.assignee_user_id::text,
      nullif(array_to_json(o.tags)::text, '[]'), o.archived_at::text, o.deleted_at::text, o.merged_into::text],
    array[n.status, n.closed_reason, n.priority, n.spam_reason, n.assignee_user_id::text,
      nullif(array_to_json(n.tags)::text, '[]'), n.archived_at::text, n.deleted_at::text, n.merged_into::text]
  ) as c (field, from_value, to_value)
  where c.from_value is distinct from c.to_value
    -- An item that goes with its organisation loses its assignee first, and is gone when this is told.
    and exists (select from public.feedback f where f.organization_id = n.organization_id and f.id = n.id);
  return null;
end
$$;

create trigger after_feedback_update after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.after_feedback_update();
