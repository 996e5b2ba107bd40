-- Notifications in the app and by email, and each member's preferences.

create table public.notification_settings (
  organization_id uuid not null,
  user_id uuid not null,
  time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 64),
  muted_mails text[] not null default '{}' check (muted_mails <@ array['new_feedback', 'personal']),
  daily_digest_on date,
  mails_since timestamptz,
  mails_sent integer not null default 0,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references public.memberships (organization_id, user_id) on delete cascade
);
comment on table public.notification_settings is
  'Settings for all emails to one member. No row: the defaults of the columns.';
comment on column public.notification_settings.time_zone is 'Time zone of the member''s browser, e.g. Europe/Berlin.';
comment on column public.notification_settings.muted_mails is
  'Kinds of email that the member unsubscribed from. Overrides the preferences per project.';
comment on column public.notification_settings.daily_digest_on is
  'Date of the last daily digest, in the member''s time zone.';
comment on column public.notification_settings.mails_since is 'Start of the current ten minutes of instant emails.';
comment on column public.notification_settings.mails_sent is 'Instant emails within these ten minutes.';

alter table public.notification_settings enable row level security;
alter table public.notification_settings force row level security;
grant select, insert, update (time_zone, muted_mails) on public.notification_settings to authenticated;
grant select, insert, update, delete on public.notification_settings to service_role;

create table public.notification_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  project_id uuid not null,
  -- An email per item would flood a busy team, and none would leave a quiet one unaware: the default is one a day.
  new_feedback_mail text not null default 'daily' check (new_feedback_mail in ('off', 'instant', 'hourly', 'daily')),
  new_feedback_app boolean not null default true,
  -- On by default: these concern one person, and someone waits for their reaction.
  assigned_mail boolean not null default true,
  assigned_app boolean not null default true,
  mentioned_mail boolean not null default true,
  mentioned_app boolean not null default true,
  visitor_replied_mail boolean not null default true,
  visitor_replied_app boolean not null default true,
  seen_until timestamptz,
  mailed_until timestamptz,
  primary key (organization_id, user_id, project_id),
  foreign key (organization_id, user_id) references public.memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.notification_preferences is
  'Notification preferences of a member for a project. No row: the defaults of the columns.';
comment on column public.notification_preferences.seen_until is
  'The app shows later feedback as new; null: feedback since the member joined.';
comment on column public.notification_preferences.mailed_until is
  'Later feedback is still to be emailed; null: feedback since the member joined.';
create index notification_preferences_project_idx on public.notification_preferences (organization_id, project_id);
create index notification_preferences_instant_idx on public.notification_preferences (organization_id)
  where new_feedback_mail = 'instant';

alter table public.notification_preferences enable row level security;
alter table public.notification_preferences force row level security;
grant select, insert, update (
  new_feedback_mail, new_feedback_app, assigned_mail, assigned_app, mentioned_mail, mentioned_app, visitor_replied_mail,
  visitor_replied_app, seen_until, mailed_until) on public.notification_preferences to authenticated;
grant select, insert, update, delete on public.notification_preferences to service_role;

create table public.notifications (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  user_id uuid not null,
  feedback_id uuid not null,
  kind text not null check (kind in ('assigned', 'mentioned', 'visitor_replied')),
  actor_user_id uuid,
  item_count integer not null default 1 check (item_count > 0),
  in_app boolean not null,
  mail_due boolean not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references public.memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
comment on table public.notifications is
  'Notifications of one member. New feedback makes no rows: it concerns every member, and is read from the items.';
comment on column public.notifications.actor_user_id is 'Who caused it; null: a visitor, or a deleted account.';
comment on column public.notifications.item_count is
  'How many items were assigned together; feedback_id is one of them.';
comment on column public.notifications.mail_due is 'Whether its email is still to be sent.';
create index notifications_user_idx on public.notifications (organization_id, user_id, created_at desc, id desc);
create index notifications_feedback_idx on public.notifications (organization_id, feedback_id);
create index notifications_created_at_idx on public.notifications (created_at);

alter table public.notifications enable row level security;
alter table public.notifications force row level security;
grant select, update (read_at) on public.notifications to authenticated;
grant select, insert, update, delete on public.notifications to service_role;
