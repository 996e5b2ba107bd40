-- Exports that an API key requested.

alter table public.exports add column is_by_key boolean not null default false;
comment on column public.exports.is_by_key is
  'Whether created_by is an API key: its items are then read as the key, which reaches one project.';
comment on column public.api_keys.scopes is 'read: GET requests, and exports. write: all others.';
grant select, insert (organization_id, id, created_by, format, selection, is_by_key) on public.exports to earshot_api_key;
grant insert (is_by_key) on public.exports to authenticated;
