-- Counters of use: rows of changes, which the job fold_usage adds up. None of it runs while a
-- submission is stored: items are counted where the sums of their day change.

create or replace function app.note_usage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization_id uuid;
  v_at timestamptz;
begin
  execute format('select ($1).%I, ($1).%I', tg_argv[1], tg_argv[2]) into v_organization_id, v_at using new;
  insert into app.usage_changes (organization_id, day, figure, n)
  values (v_organization_id, (v_at at time zone 'utc')::date, tg_argv[0], 1);
  return null;
end
$$;
comment on function app.note_usage() is
  'Counts a row once. Arguments: the figure, and the columns of the organisation and the time.';

create or replace trigger note_usage after insert on public.organizations
  for each row execute function app.note_usage('organizations', 'id', 'created_at');
create or replace trigger note_usage after insert on public.memberships
  for each row execute function app.note_usage('members', 'organization_id', 'joined_at');
create or replace trigger note_usage after insert on public.projects
  for each row execute function app.note_usage('projects', 'organization_id', 'created_at');
create or replace trigger note_usage after update of last_loaded_at on public.widgets
  for each row when (old.last_loaded_at is null and new.last_loaded_at is not null)
  execute function app.note_usage('installs', 'organization_id', 'last_loaded_at');
create or replace trigger note_usage after insert on public.feedback_comments
  for each row when (new.kind = 'reply' and not new.from_visitor)
  execute function app.note_usage('replies', 'organization_id', 'created_at');
create or replace trigger note_usage after insert on public.exports
  for each row execute function app.note_usage('exports', 'organization_id', 'created_at');
create or replace trigger note_usage after insert on public.integrations
  for each row execute function app.note_usage('integrations', 'organization_id', 'created_at');

create or replace function app.note_item_usage() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.usage_changes (organization_id, day, figure, n)
    values (old.organization_id, old.day, 'items', -old.items);
  end if;
  if tg_op <> 'DELETE' then
    insert into app.usage_changes (organization_id, day, figure, n)
    values (new.organization_id, new.day, 'items', new.items);
  end if;
  return null;
end
$$;
comment on function app.note_item_usage() is 'Counts items as the sums of their day change.';
create or replace trigger note_item_usage after insert on public.feedback_days
  for each row when (new.scope_id = new.organization_id) execute function app.note_item_usage();
create or replace trigger note_item_usage_change after update on public.feedback_days
  for each row when (new.scope_id = new.organization_id and old.items <> new.items)
  execute function app.note_item_usage();
create or replace trigger note_item_usage_end after delete on public.feedback_days
  for each row when (old.scope_id = old.organization_id) execute function app.note_item_usage();

create or replace function app.note_verified_activations() returns setof date
language sql security definer set search_path = ''
as $$
  update app.activations a set is_verified = true
  where not a.is_verified and exists (
    select from public.memberships m
    join auth.users u on u.id = m.user_id
    where m.organization_id = a.organization_id and m.role = 'owner' and u.email_confirmed_at is not null)
  returning a.registered_on
$$;
comment on function app.note_verified_activations() is
  'Marks organisations an owner of which has verified the address since. Returns the days on which they signed up.';
revoke execute on function app.note_verified_activations() from public;
grant execute on function app.note_verified_activations() to service_role;
