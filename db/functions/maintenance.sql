-- Read-only mode for maintenance.

create or replace function app.announce_read_only() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('read_only', '');
  return null;
end
$$;
comment on function app.announce_read_only() is
  'Tells every process that read-only mode has changed. A trigger, so that a change by hand is heard as well.';
revoke execute on function app.announce_read_only() from public;

create or replace trigger read_only_periods_announce after insert or update or delete on app.read_only_periods
  for each statement execute function app.announce_read_only();
