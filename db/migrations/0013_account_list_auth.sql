-- The list of all accounts is read page by page, the newest first.

set role supabase_auth_admin;
create index users_created_at_idx on auth.users (created_at desc nulls last, id);
reset role;
