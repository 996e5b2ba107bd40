-- Superadmins page through the entries of all organisations, latest first.
create index audit_log_instance_latest_idx on public.audit_log (created_at, id);
create index audit_log_instance_category_idx on public.audit_log (category, created_at, id);
create index audit_log_instance_actor_idx on public.audit_log (actor_user_id, created_at, id);
create index audit_log_instance_target_idx on public.audit_log (target_id, created_at, id);
