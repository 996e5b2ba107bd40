-- Notifications.

create or replace function app.record_notifications(p_organization_id uuid, p_event_id uuid, p_notifications jsonb)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_ids uuid[];
  v_told uuid[];
  v_shown uuid[];
  v_mailed uuid[];
begin
  with added as (
    insert into public.notifications
      (organization_id, event_id, user_id, feedback_id, kind, actor_user_id, item_count, in_app, mail_due)
    select distinct on (m.user_id, n.kind, f.id)
      f.organization_id, p_event_id, m.user_id, f.id, n.kind, n."actorUserId", greatest(coalesce(n."itemCount", 1), 1),
      c.in_app, c.mail
    from jsonb_to_recordset(p_notifications)
      as n ("userId" uuid, kind text, "feedbackId" uuid, "actorUserId" uuid, "itemCount" integer)
    join public.feedback f on f.organization_id = p_organization_id and f.id = n."feedbackId"
    join public.memberships m on m.organization_id = f.organization_id and m.user_id = n."userId"
    left join public.notification_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
    left join public.notification_preferences p
      on p.organization_id = f.organization_id and p.user_id = m.user_id and p.project_id = f.project_id
    cross join lateral (
      select
        case n.kind when 'assigned' then coalesce(p.assigned_app, s.assigned_app, true)
          when 'mentioned' then coalesce(p.mentioned_app, s.mentioned_app, true)
          when 'visitor_replied' then coalesce(p.visitor_replied_app, s.visitor_replied_app, true) end as in_app,
        case n.kind when 'assigned' then coalesce(p.assigned_mail, s.assigned_mail, true)
          when 'mentioned' then coalesce(p.mentioned_mail, s.mentioned_mail, true)
          when 'visitor_replied' then coalesce(p.visitor_replied_mail, s.visitor_replied_mail, true) end as mail) c
    where (c.in_app or c.mail) and n."actorUserId" is distinct from m.user_id
    -- An event that is delivered again notifies no one again.
    on conflict (organization_id, event_id, user_id, kind, feedback_id) where event_id is not null do nothing
    returning id, user_id, in_app, mail_due
  )
  select array_agg(a.id), array_agg(distinct a.user_id), array_agg(distinct a.user_id) filter (where a.in_app),
    array_agg(distinct a.user_id) filter (where a.mail_due)
  into v_ids, v_told, v_shown, v_mailed
  from added a;
  if v_ids is null then
    return;
  end if;
  perform app.write_event(p_organization_id, 'notification.recorded', v_ids, jsonb_build_object('userIds', v_told), 'never',
    (p_notifications -> 0 ->> 'actorUserId')::uuid);
  if v_shown is not null then
    perform app.send_live_message(p_organization_id, 'notifications', v_shown);
  end if;

  -- After five seconds: several notifications become one email, and one that is read at once needs none.
  perform app.enqueue_job('mail_notifications', json_build_object('organizationId', p_organization_id, 'userId', u.id),
    'mail_notifications:' || p_organization_id || ':' || u.id, now() + interval '5 seconds')
  from unnest(v_mailed) as u (id);
end
$$;
comment on function app.record_notifications(uuid, uuid, jsonb) is
  'Records notifications of an event, in the app and by email as each member prefers; of one event each once. Skips '
  'actors'' own actions, and users who are not members.';
grant execute on function app.record_notifications(uuid, uuid, jsonb) to service_role;

create or replace function app.local_time(p_time_zone text) returns timestamp
language plpgsql stable set search_path = ''
as $$
begin
  return now() at time zone p_time_zone;
exception when invalid_parameter_value then
  return now() at time zone 'UTC';
end
$$;
comment on function app.local_time(text) is 'Local time in a time zone; in UTC if the zone is unknown.';
grant execute on function app.local_time(text) to service_role;

create or replace function app.find_mailable(p_user_id uuid) returns setof text
language sql stable security definer set search_path = ''
as $$
  select p.email
  from public.profiles p
  where p.user_id = p_user_id and p.email <> '' and app.is_usable_account(p_user_id)
$$;
comment on function app.find_mailable(uuid) is
  'The address of an account that is confirmed, not deleted and not banned; no row for any other.';
grant execute on function app.find_mailable(uuid) to service_role;

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists notification_settings_select on public.notification_settings;
create policy notification_settings_select on public.notification_settings for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists notification_settings_insert on public.notification_settings;
create policy notification_settings_insert on public.notification_settings for insert to authenticated
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists notification_settings_update on public.notification_settings;
create policy notification_settings_update on public.notification_settings for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));

drop policy if exists notification_preferences_select on public.notification_preferences;
create policy notification_preferences_select on public.notification_preferences for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists notification_preferences_insert on public.notification_preferences;
create policy notification_preferences_insert on public.notification_preferences for insert to authenticated
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists notification_preferences_update on public.notification_preferences;
create policy notification_preferences_update on public.notification_preferences for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));

drop policy if exists notifications_select on public.notifications;
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
drop policy if exists notifications_update on public.notifications;
create policy notifications_update on public.notifications for update to authenticated
  using (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()))
  with check (user_id = (select auth.uid()) and organization_id in (select app.visible_organization_ids()));
