-- An account that is deleted softly leaves its organisations, as one does that is deleted for good.

create function app.on_user_deleted_softly() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.memberships m where m.user_id = new.id;
  delete from app.superadmins s where s.user_id = new.id;
  return null;
end
$$;
comment on function app.on_user_deleted_softly() is
  'Takes a softly deleted account out of its organisations. Refused, with the deletion, where that would leave members without an owner.';
create trigger on_user_deleted_softly after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.on_user_deleted_softly();
