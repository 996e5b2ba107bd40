-- Entries of sign-in's history are kept for a while only, and found by their age.

set role supabase_auth_admin;
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);
reset role;
