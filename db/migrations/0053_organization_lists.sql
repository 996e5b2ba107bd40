-- Superadmins page through all organisations and search them by name and address.
create index organizations_latest_idx on public.organizations (created_at desc, id desc);
create index organizations_name_idx on public.organizations (lower(name), id);
create index organizations_search_idx on public.organizations using gin ((lower(name) || ' ' || slug) gin_trgm_ops);
create index organizations_closed_idx on public.organizations (created_at desc, id desc) where closed_at is not null;
