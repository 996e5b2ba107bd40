-- Changing many items at once and taking that back, saved views, and who has an item open.

-- Changes of many items ---------------------------------------------------------------------------------------------

create table public.feedback_operations (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  actor_user_id uuid not null,
  request_hash bytea not null check (octet_length(request_hash) = 32),
  change jsonb not null,
  item_ids uuid[] not null,
  state text not null default 'running' check (state in ('running', 'done', 'undoing', 'undone', 'failed')),
  processed integer not null default 0,
  changed integer not null default 0,
  undo_processed integer not null default 0,
  kept integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  check (processed between 0 and cardinality(item_ids)),
  check (undo_processed between 0 and processed)
);
comment on table public.feedback_operations is
  'Changes of many items: what was asked, and how far it is. Each step commits with the items that it changed, so that '
  'whoever goes on after a crash begins where the last one ended. Kept for as long as they can be undone.';
comment on column public.feedback_operations.id is 'Made by the sender, which makes a retry safe.';
comment on column public.feedback_operations.actor_user_id is
  'Who asked for it, and as whom it runs. No foreign key: whoever runs the instance may ask too.';
comment on column public.feedback_operations.request_hash is 'SHA-256 of the request: tells a retry from another one.';
comment on column public.feedback_operations.item_ids is
  'The items as they were found at the start, in the order in which everybody locks them.';
comment on column public.feedback_operations.processed is 'How many of item_ids were looked at.';
comment on column public.feedback_operations.undo_processed is 'How many of those were looked at once more, to undo.';
comment on column public.feedback_operations.kept is 'Items that were not put back, because somebody changed them since.';
create index feedback_operations_created_idx on public.feedback_operations (created_at);

alter table public.feedback_operations enable row level security;
alter table public.feedback_operations force row level security;
create policy feedback_operations_own on public.feedback_operations to authenticated
  using (organization_id in (select app.visible_organization_ids()) and actor_user_id = (select auth.uid()))
  with check (organization_id in (select app.visible_organization_ids()) and actor_user_id = (select auth.uid()));
grant select, insert, update (state, processed, changed, undo_processed, kept)
  on public.feedback_operations to authenticated;
grant select, update, delete on public.feedback_operations to service_role;

create function app.change_tags(p_tags text[], p_added text[], p_removed text[]) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(array_agg(d.tag order by d.place), '{}')
  from (
    select distinct on (lower(t.tag)) t.tag, t.place
    from (
      select u.tag, u.place from unnest(p_tags) with ordinality as u (tag, place)
      where lower(u.tag) <> all (array(select lower(r.tag) from unnest(p_removed) as r (tag)))
      union all
      select u.tag, cardinality(p_tags) + u.place from unnest(p_added) with ordinality as u (tag, place)
    ) t
    order by lower(t.tag), t.place
  ) d
$$;
comment on function app.change_tags(text[], text[], text[]) is
  'Tags without those that are removed, then those that are added. Letter case tells none apart; as it was written first, '
  'it stays.';
grant execute on function app.change_tags(text[], text[], text[]) to authenticated, service_role;

create function app.hold_member(p_organization_id uuid, p_user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.memberships m
  where m.organization_id = p_organization_id and m.user_id = p_user_id
    and p_organization_id in (select app.visible_organization_ids())
  for key share;
  return found;
end
$$;
comment on function app.hold_member(uuid, uuid) is
  'Whether somebody belongs to an organisation of the caller''s. Who does, does so until the transaction ends: locked '
  'before any item, as their removal locks them, so that the two never wait for each other.';
grant execute on function app.hold_member(uuid, uuid) to authenticated;

-- Saved views --------------------------------------------------------------------------------------------------------

create table public.saved_views (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  owner_user_id uuid references auth.users (id) on delete set null,
  name text not null check (char_length(name) between 1 and 60),
  search text not null check (char_length(search) <= 2000),
  is_shared boolean not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
comment on table public.saved_views is 'States of the inbox that somebody gave a name.';
comment on column public.saved_views.id is 'Made by the sender, which makes a retry safe.';
comment on column public.saved_views.owner_user_id is 'Who saved it; null when the account is gone and the team keeps it.';
comment on column public.saved_views.search is 'The part of the inbox''s address after the question mark.';
comment on column public.saved_views.is_shared is 'Whether all members see and change it; otherwise only the owner.';
create index saved_views_owner_idx on public.saved_views (owner_user_id) where owner_user_id is not null;

alter table public.saved_views enable row level security;
alter table public.saved_views force row level security;
create policy saved_views_select on public.saved_views for select to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())));
create policy saved_views_insert on public.saved_views for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and owner_user_id = (select auth.uid()));
-- What is shared stays so, unless its owner takes it back: nobody may make it vanish for the others and themselves.
create policy saved_views_update on public.saved_views for update to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())))
  with check (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())));
create policy saved_views_delete on public.saved_views for delete to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())));
grant select, insert, update (name, search, is_shared), delete on public.saved_views to authenticated;
grant select, delete on public.saved_views to service_role;

-- Who has an item open -----------------------------------------------------------------------------------------------

-- Unlogged: after a crash nobody has anything open until they say so again, 20 s later. A table and no memory of a
-- process, because two people in one item may be connected to two of them.
create unlogged table public.presence (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null,
  page_id uuid not null,
  feedback_id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (organization_id, user_id, page_id)
) with (fillfactor = 50);
comment on table public.presence is
  'Which items are open in whose browser. A row that was not renewed for 45 s says nothing any more. No foreign keys to '
  'item and member: they would cost each a write, and a row outlives them by seconds only.';
comment on column public.presence.page_id is 'Made by the page: a person may have several open.';

alter table public.presence enable row level security;
alter table public.presence force row level security;
create policy presence_select on public.presence for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy presence_insert on public.presence for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()));
create policy presence_update on public.presence for update to authenticated
  using (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()))
  with check (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()));
create policy presence_delete on public.presence for delete to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (user_id = (select auth.uid()) or seen_at < now() - interval '45 seconds'));
grant select, insert, update (feedback_id, seen_at), delete on public.presence to authenticated;
grant select, delete on public.presence to service_role;

-- Those who leave ----------------------------------------------------------------------------------------------------

create function app.on_member_gone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_views v
  where v.organization_id = old.organization_id and v.owner_user_id = old.user_id and not v.is_shared;
  delete from public.presence p where p.organization_id = old.organization_id and p.user_id = old.user_id;
  perform pg_notify('feedback_changed',
    json_build_object('organizationId', old.organization_id, 'kind', 'member.gone')::text);
  return null;
end
$$;
comment on function app.on_member_gone() is
  'Takes what only they could see with them, and ends what they follow: every server asks anew who may.';
create trigger on_member_gone after delete on public.memberships
  for each row execute function app.on_member_gone();

call app.add_system_policies();
