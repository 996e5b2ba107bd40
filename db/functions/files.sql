-- Files: bytes are deleted with their rows.

create or replace function app.on_uploads_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.removed_files (storage_key) select g.storage_key from gone g on conflict do nothing;
  if found then
    perform app.enqueue_job('remove_files', '{}'::json, 'remove_files');
  end if;
  return null;
end
$$;
comment on function app.on_uploads_deleted() is
  'Deletes an upload''s bytes with its row, also when a visitor, the sweep, a project or an organisation deletes it.';
create or replace trigger on_uploads_deleted after delete on public.uploads
  referencing old table as gone
  for each statement execute function app.on_uploads_deleted();

create or replace function app.on_attachments_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.uploads u using gone g where u.organization_id = g.organization_id and u.id = g.id;
  return null;
end
$$;
comment on function app.on_attachments_deleted() is 'Deletes an item''s files with it.';
create or replace trigger on_attachments_deleted after delete on public.feedback_attachments
  referencing old table as gone
  for each statement execute function app.on_attachments_deleted();

-- Ingest writes the kinds with the item; this covers every other way of adding and removing files.
create or replace function app.keep_media_kinds() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.feedback f set media_kinds = k.kinds
  from (
    select distinct m.organization_id, m.feedback_id,
      array(select distinct a.kind from public.feedback_attachments a
        where a.organization_id = m.organization_id and a.feedback_id = m.feedback_id order by a.kind) as kinds
    from moved m
  ) k
  where f.organization_id = k.organization_id and f.id = k.feedback_id
    and not (f.media_kinds @> k.kinds and f.media_kinds <@ k.kinds);
  return null;
end
$$;
comment on function app.keep_media_kinds() is 'Keeps feedback.media_kinds in step with the attachments.';
create or replace trigger keep_media_kinds_added after insert on public.feedback_attachments
  referencing new table as moved for each statement execute function app.keep_media_kinds();
create or replace trigger keep_media_kinds_removed after delete on public.feedback_attachments
  referencing old table as moved for each statement execute function app.keep_media_kinds();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists feedback_attachments_select on public.feedback_attachments;
create policy feedback_attachments_select on public.feedback_attachments for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists uploads_select on public.uploads;
create policy uploads_select on public.uploads for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
