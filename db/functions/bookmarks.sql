-- Bookmarks.

drop policy if exists bookmarks_select on public.bookmarks;
create policy bookmarks_select on public.bookmarks for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists bookmarks_insert on public.bookmarks;
create policy bookmarks_insert on public.bookmarks for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()));
drop policy if exists bookmarks_delete on public.bookmarks;
create policy bookmarks_delete on public.bookmarks for delete to authenticated
  using (organization_id in (select app.visible_organization_ids()));
