-- Notification preferences for all projects; those of one project are exceptions.

alter table public.notification_settings
  add column new_feedback_mail text not null default 'daily' check (new_feedback_mail in ('off', 'instant', 'hourly', 'daily')),
  add column new_feedback_app boolean not null default true,
  add column assigned_mail boolean not null default true,
  add column assigned_app boolean not null default true,
  add column mentioned_mail boolean not null default true,
  add column mentioned_app boolean not null default true,
  add column visitor_replied_mail boolean not null default true,
  add column visitor_replied_app boolean not null default true;
comment on column public.notification_settings.new_feedback_mail is
  'How new feedback is emailed. An email per item would flood a busy team, and none would leave a quiet one unaware: the '
  'default is one a day. These columns are for all projects; notification_preferences has the exceptions.';
create index notification_settings_instant_idx on public.notification_settings (organization_id)
  where new_feedback_mail = 'instant';
grant update (
  new_feedback_mail, new_feedback_app, assigned_mail, assigned_app, mentioned_mail, mentioned_app, visitor_replied_mail,
  visitor_replied_app) on public.notification_settings to authenticated;

alter table public.notification_preferences
  alter column new_feedback_mail drop not null, alter column new_feedback_mail drop default,
  alter column new_feedback_app drop not null, alter column new_feedback_app drop default,
  alter column assigned_mail drop not null, alter column assigned_mail drop default,
  alter column assigned_app drop not null, alter column assigned_app drop default,
  alter column mentioned_mail drop not null, alter column mentioned_mail drop default,
  alter column mentioned_app drop not null, alter column mentioned_app drop default,
  alter column visitor_replied_mail drop not null, alter column visitor_replied_mail drop default,
  alter column visitor_replied_app drop not null, alter column visitor_replied_app drop default,
  -- Row-level security would hide the rows from an owner that is no superuser.
  no force row level security;
-- A row was also written when a member had looked at a project: what equals the defaults is no exception.
update public.notification_preferences set
  new_feedback_mail = nullif(new_feedback_mail, 'daily'), new_feedback_app = nullif(new_feedback_app, true),
  assigned_mail = nullif(assigned_mail, true), assigned_app = nullif(assigned_app, true),
  mentioned_mail = nullif(mentioned_mail, true), mentioned_app = nullif(mentioned_app, true),
  visitor_replied_mail = nullif(visitor_replied_mail, true), visitor_replied_app = nullif(visitor_replied_app, true);
alter table public.notification_preferences force row level security;
comment on table public.notification_preferences is
  'Notification preferences of a member for a project. Null, or no row: as for all projects in notification_settings.';
