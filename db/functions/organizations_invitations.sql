-- Invitations.

create or replace function app.queue_invitation(
  p_organization_id uuid, p_invitation_id uuid, p_email_id uuid, p_kind text, p_subject text, p_html text, p_text text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_to text;
  -- Strangers can sign up where the instance bills, so that a new organisation there may be a sender of spam.
  v_per_day integer;
  v_wait integer;
begin
  select i.email,
    case when o.subscription_status = 'trialing' and o.created_at > now() - interval '7 days' then 20 else 200 end
  into v_to, v_per_day
  from public.invitations i
  join public.organizations o on o.id = i.organization_id
  where i.organization_id = p_organization_id
    and i.id = p_invitation_id
    and i.organization_id in (select app.owned_organization_ids());
  if not found then
    raise exception 'There is no such invitation.' using errcode = 'insufficient_privilege';
  end if;
  -- Taken in this transaction: if anything else refuses the email, the tokens are back.
  v_wait := app.take_token('invitations of organisation', p_organization_id::text, v_per_day, 86400000);
  if v_wait > 0 then
    raise exception 'The organisation has sent % invitations within a day.', v_per_day
      using errcode = 'ES429', constraint = 'invitations_per_day', detail = v_wait::text, hint = v_per_day::text;
  end if;
  v_wait := app.take_token('invitations to address', v_to, 5, 3600000);
  if v_wait > 0 then
    raise exception 'The address was sent five invitations within an hour.'
      using errcode = 'ES429', constraint = 'invitations_per_address', detail = v_wait::text, hint = v_to;
  end if;
  perform app.queue_email(p_email_id, p_kind, v_to, p_subject, p_html, p_text);
end
$$;
comment on function app.queue_invitation(uuid, uuid, uuid, text, text, text, text) is
  'Queues the email of an invitation in the transaction that makes it: to the invited address and for owners only, so '
  'that a member cannot send email to arbitrary addresses. At most 200 a day for an organisation, 20 in the first week '
  'of a trial, and five an hour to one address, by all organisations together; beyond that SQLSTATE ES429, with the '
  'milliseconds to wait as its detail.';
grant execute on function app.queue_invitation(uuid, uuid, uuid, text, text, text, text) to authenticated;

create or replace function app.find_invitation(p_token_hash bytea)
returns table (organization_name text, inviter_name text, email text, role text, state text, expires_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.name, p.full_name, i.email, i.role,
    case
      when i.accepted_at is not null then 'accepted'
      when i.revoked_at is not null then 'revoked'
      when i.expires_at <= now() then 'expired'
      else 'open'
    end,
    i.expires_at
  from public.invitations i
  join public.organizations o on o.id = i.organization_id
  left join public.profiles p on p.user_id = i.invited_by
  where i.token_hash = p_token_hash and app.is_open_organization(o.id)
$$;
comment on function app.find_invitation(bytea) is 'An invitation, as the page behind its link shows it.';
grant execute on function app.find_invitation(bytea) to authenticator;

create or replace function app.was_invited_since(p_email text, p_since timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.invitations i where i.email = lower(p_email) and i.sent_at > p_since)
$$;
comment on function app.was_invited_since(text, timestamptz) is
  'Whether an invitation was emailed to the address after that time: a sign-up before it may be a stranger''s.';
grant execute on function app.was_invited_since(text, timestamptz) to supabase_auth_admin;

create or replace function app.accept_invitation(p_token_hash bytea)
returns table (outcome text, organization_id uuid)
language plpgsql security definer set search_path = ''
as $$
declare
  v_invitation public.invitations;
  v_user_id uuid := auth.uid();
  v_room text;
begin
  -- The organisation is locked first, as its deletion does: in another order the two would deadlock.
  perform from public.organizations o
  where o.id = (select i.organization_id from public.invitations i where i.token_hash = p_token_hash)
  for key share;
  -- Of two concurrent clicks, the second waits and finds the first one's acceptance.
  select i.* into v_invitation from public.invitations i where i.token_hash = p_token_hash for update;
  if not found or not app.is_open_organization(v_invitation.organization_id) then
    return query select 'unknown', null::uuid;
  elsif not app.is_usable_account(v_user_id)
    or not exists (select from auth.users u where u.id = v_user_id and lower(u.email) = v_invitation.email) then
    return query select 'other_address', null::uuid;
  elsif v_invitation.accepted_by = v_user_id
    and exists (
      select from public.memberships m
      where m.organization_id = v_invitation.organization_id and m.user_id = v_user_id) then
    return query select 'accepted', v_invitation.organization_id;
  elsif v_invitation.accepted_at is not null
    or v_invitation.revoked_at is not null
    or v_invitation.expires_at <= now() then
    return query select 'ended', null::uuid;
  else
    if v_invitation.role <> 'viewer' and not exists (
      select from public.memberships m
      where m.organization_id = v_invitation.organization_id and m.user_id = v_user_id)
    then
      select r.outcome into v_room from app.check_room(v_invitation.organization_id, 'accepted_member', 1) r;
      if v_room <> 'ok' then
        return query select v_room, null::uuid;
        return;
      end if;
    end if;
    -- A member keeps their role: an invitation is no promotion.
    insert into public.memberships (organization_id, user_id, role)
    values (v_invitation.organization_id, v_user_id, v_invitation.role)
    on conflict do nothing;
    update public.invitations i set accepted_at = now(), accepted_by = v_user_id
    where i.organization_id = v_invitation.organization_id and i.id = v_invitation.id;
    return query select 'accepted', v_invitation.organization_id;
  end if;
end
$$;
comment on function app.accept_invitation(bytea) is
  'Makes the caller a member, if the invitation is open, was sent to the address that they have confirmed, and the plan has '
  'room. The same person accepting again gets the same answer.';
grant execute on function app.accept_invitation(bytea) to authenticated;

create or replace function app.on_owner_gone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.invitations i set revoked_at = now()
  where i.organization_id = old.organization_id
    and i.invited_by = old.user_id
    and i.accepted_at is null and i.revoked_at is null;
  return null;
end
$$;
comment on function app.on_owner_gone() is
  'Revokes the open invitations of a former owner, who could otherwise use one to return.';
create or replace trigger on_owner_gone after delete on public.memberships
  for each row when (old.role = 'owner') execute function app.on_owner_gone();
create or replace trigger on_owner_demoted after update of role on public.memberships
  for each row when (old.role = 'owner' and new.role <> 'owner') execute function app.on_owner_gone();
