-- Who is told of what: notices of what concerns one person, and how each wants to hear of it, in the app and by mail.

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
  'What holds for all mails to one member. No row: the columns'' defaults.';
comment on column public.notification_settings.time_zone is 'Where the member''s browser is, e.g. Europe/Berlin.';
comment on column public.notification_settings.muted_mails is
  'Kinds of mail that the member unsubscribed from, whatever the preferences of projects say.';
comment on column public.notification_settings.daily_digest_on is 'The member''s own date of the last daily digest.';
comment on column public.notification_settings.mails_since is 'When the present ten minutes of instant mails began.';
comment on column public.notification_settings.mails_sent is 'Instant mails within these ten minutes.';

create table public.notification_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  project_id uuid not null,
  -- Every item as a mail would drown a busy team, none would leave a quiet one unaware: one mail a day is in between.
  new_feedback_mail text not null default 'daily' check (new_feedback_mail in ('off', 'instant', 'hourly', 'daily')),
  new_feedback_app boolean not null default true,
  -- These are meant for one person, who is waited for.
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
  'How a member wants to hear of what happens in a project. No row: the columns'' defaults.';
comment on column public.notification_preferences.seen_until is
  'Feedback up to then is no news to the member in the app any more; null: since they joined.';
comment on column public.notification_preferences.mailed_until is
  'Feedback up to then has been mailed to the member, or will never be; null: since they joined.';
create index notification_preferences_project_idx on public.notification_preferences (organization_id, project_id);
create index notification_preferences_instant_idx on public.notification_preferences (organization_id)
  where new_feedback_mail = 'instant';

create table public.notices (
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
comment on table public.notices is
  'What concerns one member. New feedback makes no rows: it concerns everybody, and is told from the items themselves.';
comment on column public.notices.actor_user_id is 'Who did it; null: a visitor, or somebody whose account is gone.';
comment on column public.notices.item_count is 'How many items were handed over together; the row names one of them.';
comment on column public.notices.mail_due is 'Whether a mail about it is still to be written.';
create index notices_user_idx on public.notices (organization_id, user_id, created_at desc, id desc);
create index notices_feedback_idx on public.notices (organization_id, feedback_id);
create index notices_created_at_idx on public.notices (created_at);

alter table public.organizations add column mails_hold_words boolean not null default true;
comment on column public.organizations.mails_hold_words is
  'Whether mails to members repeat what visitors wrote. If not, they only say that there is something.';
grant update (mails_hold_words) on public.organizations to authenticated;

alter table app.emails add column unsubscribe_url text;
comment on column app.emails.unsubscribe_url is 'Where a mailbox unsubscribes with one click (RFC 8058); null: a mail that was asked for.';

alter table public.notification_settings enable row level security;
alter table public.notification_settings force row level security;
create policy notification_settings_select on public.notification_settings for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
create policy notification_settings_insert on public.notification_settings for insert to authenticated
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
create policy notification_settings_update on public.notification_settings for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
grant select, insert, update (time_zone, muted_mails) on public.notification_settings to authenticated;
grant select, insert, update, delete on public.notification_settings to service_role;

alter table public.notification_preferences enable row level security;
alter table public.notification_preferences force row level security;
create policy notification_preferences_select on public.notification_preferences for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
create policy notification_preferences_insert on public.notification_preferences for insert to authenticated
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
create policy notification_preferences_update on public.notification_preferences for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
grant select, insert, update (
  new_feedback_mail, new_feedback_app, assigned_mail, assigned_app, mentioned_mail, mentioned_app, visitor_replied_mail,
  visitor_replied_app, seen_until, mailed_until) on public.notification_preferences to authenticated;
grant select, insert, update, delete on public.notification_preferences to service_role;

alter table public.notices enable row level security;
alter table public.notices force row level security;
create policy notices_select on public.notices for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
create policy notices_update on public.notices for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
grant select, update (read_at) on public.notices to authenticated;
grant select, insert, update, delete on public.notices to service_role;

create function app.record_notices(p_organization_id uuid, p_notices jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_shown uuid[];
  v_mailed uuid[];
begin
  if auth.uid() is not null and p_organization_id not in (select app.visible_organization_ids()) then
    raise exception 'no such organisation' using errcode = 'insufficient_privilege';
  end if;
  with added as (
    insert into public.notices (organization_id, user_id, feedback_id, kind, actor_user_id, item_count, in_app, mail_due)
    select distinct on (m.user_id, n.kind, f.id)
      f.organization_id, m.user_id, f.id, n.kind, w.actor, greatest(coalesce(n."itemCount", 1), 1), c.in_app, c.mail
    from jsonb_to_recordset(p_notices)
      as n ("userId" uuid, kind text, "feedbackId" uuid, "actorUserId" uuid, "itemCount" integer)
    join public.feedback f on f.organization_id = p_organization_id and f.id = n."feedbackId"
    join public.memberships m on m.organization_id = f.organization_id and m.user_id = n."userId"
    left join public.notification_preferences p
      on p.organization_id = f.organization_id and p.user_id = m.user_id and p.project_id = f.project_id
    cross join lateral (
      -- Whoever is signed in did it, whatever the list says.
      select coalesce(auth.uid(), n."actorUserId") as actor) w
    cross join lateral (
      select
        case n.kind when 'assigned' then coalesce(p.assigned_app, true)
          when 'mentioned' then coalesce(p.mentioned_app, true)
          when 'visitor_replied' then coalesce(p.visitor_replied_app, true) end as in_app,
        case n.kind when 'assigned' then coalesce(p.assigned_mail, true)
          when 'mentioned' then coalesce(p.mentioned_mail, true)
          when 'visitor_replied' then coalesce(p.visitor_replied_mail, true) end as mail) c
    where (c.in_app or c.mail) and w.actor is distinct from m.user_id
    returning user_id, in_app, mail_due
  )
  select array_agg(distinct a.user_id) filter (where a.in_app), array_agg(distinct a.user_id) filter (where a.mail_due)
  into v_shown, v_mailed
  from added a;

  -- A NOTIFY holds 8,000 bytes.
  perform pg_notify('feedback_changed', json_build_object(
      'organizationId', p_organization_id, 'kind', 'notices', 'ids', json_agg(u.id))::text)
  from unnest(v_shown) with ordinality as u (id, place)
  group by (u.place - 1) / 150;

  -- A moment later: what comes together goes as one mail, and what is read at once needs none.
  perform app.enqueue_job('mail_notices', json_build_object('organizationId', p_organization_id, 'userId', u.id),
    'mail_notices:' || p_organization_id || ':' || u.id, now() + interval '5 seconds')
  from unnest(v_mailed) as u (id);
end
$$;
comment on function app.record_notices(uuid, jsonb) is
  'Tells members what concerns them, by what each prefers, in the caller''s transaction. Nobody is told what they did '
  'themselves, and those who are no members are passed over.';
grant execute on function app.record_notices(uuid, jsonb) to authenticated, service_role;

create function app.local_time(p_time_zone text) returns timestamp
language plpgsql stable set search_path = ''
as $$
begin
  return now() at time zone p_time_zone;
exception when invalid_parameter_value then
  return now() at time zone 'UTC';
end
$$;
comment on function app.local_time(text) is 'What clocks show there now; in UTC where the zone is none.';
grant execute on function app.local_time(text) to service_role;

create function app.find_mailable(p_user_id uuid) returns setof text
language sql stable security definer set search_path = ''
as $$
  select p.email
  from public.profiles p
  where p.user_id = p_user_id and p.email <> '' and app.is_usable_account(p_user_id)
$$;
comment on function app.find_mailable(uuid) is
  'The address of an account that is confirmed, not deleted and not banned; no row for any other.';
grant execute on function app.find_mailable(uuid) to service_role;

call app.add_system_policies();
