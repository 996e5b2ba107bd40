-- The audit log is written from events, and events name who caused them and from where.

alter table app.events
  add column actor_kind text not null default 'system'
    check (actor_kind in ('user', 'api_key', 'superadmin', 'visitor', 'system')),
  add column actor_name text check (char_length(actor_name) <= 254),
  add column ip inet,
  add column user_agent text check (char_length(user_agent) <= 1000),
  add column cause text check (char_length(cause) <= 100);
comment on column app.events.actor_user_id is
  'Who caused it, by a request or by a job that works for them: a user, or an API key. Null: a visitor, or a job.';
comment on column app.events.actor_kind is
  'superadmin: a superadmin in an organisation that is not theirs. system: a job that works for no one.';
comment on column app.events.actor_name is 'Name of the user then: accounts are deleted before their events.';
comment on column app.events.ip is
  'Address of the user''s request, after the rules for trusted proxies. Never a visitor''s.';
comment on column app.events.user_agent is 'Browser or program of that request, as it describes itself.';
comment on column app.events.cause is 'The job that recorded it; null: a request.';

-- Both are made again by db/functions/audit.sql, without what this file removes.
drop trigger if exists audit_log_refuse_change on public.audit_log;
drop policy if exists audit_log_insert on public.audit_log;

alter table public.audit_log
  add column event_id uuid,
  add column actor_kind text not null default 'user'
    check (actor_kind in ('user', 'api_key', 'superadmin', 'visitor', 'system')),
  add column actor_name text,
  add column category text not null default 'data'
    check (category in ('members', 'security', 'organization', 'projects', 'keys', 'integrations', 'data', 'superadmin')),
  add column target_name text,
  add column before jsonb check (jsonb_typeof(before) = 'object'),
  add column after jsonb check (jsonb_typeof(after) = 'object'),
  add column ip inet,
  add column user_agent text,
  add column request_id text,
  add column cause text;

-- Entries from before: their actions get the names of the events that stand for them now.
update public.audit_log set
  after = case when details <> '{}' then details end,
  actor_kind = case when actor_user_id is null then 'system' else 'user' end,
  target_name = details ->> 'name',
  category = case
    when action like 'member.%' or action like 'invitation.%' then 'members'
    when action like 'project.%' or action like 'widget.%' then 'projects'
    when action = 'account.deleted' then 'security'
    else 'data'
  end,
  action = case action
    when 'invitation.revoked' then 'member.invitation_revoked'
    when 'widget.published' then 'widget.configured'
    when 'widget.publish_undone' then 'widget.configured'
    when 'widget.identity_secret_rotated' then 'widget.configured'
    when 'trash.emptied' then 'feedback.trash_emptied'
    when 'trash.expired' then 'feedback.trash_expired'
    when 'retention.applied' then 'project.retention_applied'
    when 'feedback.exported' then 'export.completed'
    when 'feedback.imported' then 'import.completed'
    else action
  end;
alter table public.audit_log drop column details;
alter table public.audit_log alter column category drop default;
alter table public.audit_log alter column actor_kind drop default;

comment on table public.audit_log is
  'Who changed what, where and from where: written from events (contract/audited-events.ts). Append only; removed by '
  'app.prune_audit_log alone, when older than the retention. No foreign keys: entries outlive their subjects, so they '
  'hold the names of the time. The nil organisation has the entries of the whole instance.';
comment on column public.audit_log.event_id is
  'The event that it is written from, which may be delivered twice. Null: older than events.';
comment on column public.audit_log.actor_user_id is 'The user or API key, by actor_kind; null: a visitor, or a job.';
comment on column public.audit_log.action is 'Name of the event.';
comment on column public.audit_log.target_id is 'Null: several, or none.';
comment on column public.audit_log.before is 'Facts that the change replaced. Never a text or address of a visitor, a secret or a token.';
comment on column public.audit_log.after is 'Facts as they are since; under the same rule.';

revoke insert on public.audit_log from authenticated;
create unique index audit_log_event_idx on public.audit_log (organization_id, event_id, target_id) nulls not distinct
  where event_id is not null;
-- Pages are read by (created_at, id), latest first, of all entries or of one actor, category or target.
create index audit_log_latest_idx on public.audit_log (organization_id, created_at, id);
create index audit_log_actor_idx on public.audit_log (organization_id, actor_user_id, created_at, id);
create index audit_log_category_idx on public.audit_log (organization_id, category, created_at, id);
create index audit_log_target_idx on public.audit_log (organization_id, target_id, created_at, id);
create index audit_log_actor_kind_idx on public.audit_log (organization_id, actor_kind, created_at, id);
-- For pruning. A B-tree would tempt the planner to read a small organisation's page among everyone's entries.
create index audit_log_created_at_idx on public.audit_log using brin (created_at);

alter table app.instance_settings
  add column audit_retention_days integer not null default 400 check (audit_retention_days between 30 and 3650);
comment on column app.instance_settings.audit_retention_days is
  'Entries of the audit log that are younger cannot be deleted, not even by the owner of the table.';
