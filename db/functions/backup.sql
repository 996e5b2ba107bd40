-- Backups: what runs while the instance runs.

create or replace function app.is_backup_running() returns boolean
language sql stable set search_path = ''
as $$
  -- The two halves of backupLock in server/features/backup/rows/snapshot.ts.
  select exists (
    select from pg_catalog.pg_locks l
    where l.locktype = 'advisory' and l.classid = 1 and l.objid = 3010244551 and l.objsubid = 1
      and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database()))
$$;
comment on function app.is_backup_running() is
  'Whether a session copies the instance. Until it ends, no job removes files: rows that it has read may name them.';
revoke execute on function app.is_backup_running() from public;
grant execute on function app.is_backup_running() to service_role;
