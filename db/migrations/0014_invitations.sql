-- Invitations into an organisation: by mail, for one address, once.

create table public.invitations (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  email text not null check (email = lower(email) and char_length(email) between 3 and 254),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by uuid not null,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  primary key (organization_id, id)
);
comment on table public.invitations is 'Who was asked to join an organisation. Rows stay when they are used up: they say how a member came.';
comment on column public.invitations.token_hash is 'SHA-256 of the link''s token, which itself stands in the mail alone.';
comment on column public.invitations.invited_by is 'Who invited. No foreign key: the invitation outlives their account.';
comment on column public.invitations.sent_at is 'When the latest mail was queued; an invitation that is asked for again gets a new one.';
-- One pending invitation for each address: asking again renews it.
create unique index invitations_pending_idx on public.invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;
create index invitations_sent_at_idx on public.invitations (organization_id, sent_at desc);

alter table public.invitations enable row level security;
alter table public.invitations force row level security;
create policy invitations_select on public.invitations for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
create policy invitations_insert on public.invitations for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()) and invited_by = auth.uid());
create policy invitations_update on public.invitations for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));
grant select, insert, update (role, token_hash, invited_by, sent_at, expires_at, revoked_at) on public.invitations to authenticated;
grant select, insert, update, delete on public.invitations to service_role;

create function app.queue_invitation(
  p_organization_id uuid, p_invitation_id uuid, p_email_id uuid, p_kind text, p_subject text, p_html text, p_text text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_to text;
begin
  select i.email into v_to
  from public.invitations i
  where i.organization_id = p_organization_id
    and i.id = p_invitation_id
    and i.organization_id in (select app.owned_organization_ids());
  if not found then
    raise exception 'There is no such invitation.' using errcode = 'insufficient_privilege';
  end if;
  perform app.queue_email(p_email_id, p_kind, v_to, p_subject, p_html, p_text);
end
$$;
comment on function app.queue_invitation(uuid, uuid, uuid, text, text, text, text) is
  'Queues the mail of an invitation in the transaction that makes it: to the invited address and for owners alone, so '
  'that nobody signed in can send mail to anybody else.';
grant execute on function app.queue_invitation(uuid, uuid, uuid, text, text, text, text) to authenticated;

create function app.find_invitation(p_token_hash bytea)
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
  where i.token_hash = p_token_hash
$$;
comment on function app.find_invitation(bytea) is 'What an invitation says to whoever holds its link.';
grant execute on function app.find_invitation(bytea) to authenticator;

create function app.accept_invitation(p_token_hash bytea)
returns table (outcome text, organization_id uuid)
language plpgsql security definer set search_path = ''
as $$
declare
  v_invitation public.invitations;
  v_user_id uuid := auth.uid();
begin
  -- The organisation first, as whoever deletes one does: in another order the two would wait for each other.
  perform from public.organizations o
  where o.id = (select i.organization_id from public.invitations i where i.token_hash = p_token_hash)
  for key share;
  -- Two clicks at once: the second waits, and finds the first one's acceptance.
  select i.* into v_invitation from public.invitations i where i.token_hash = p_token_hash for update;
  if not found then
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
    -- Who is a member already keeps their role: an invitation is no promotion.
    insert into public.memberships (organization_id, user_id, role)
    values (v_invitation.organization_id, v_user_id, v_invitation.role)
    on conflict do nothing;
    update public.invitations i set accepted_at = now(), accepted_by = v_user_id
    where i.organization_id = v_invitation.organization_id and i.id = v_invitation.id;
    insert into public.audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
    values (
      v_invitation.organization_id, v_user_id, 'member.joined', 'user', v_user_id,
      jsonb_build_object('role', v_invitation.role, 'invitation_id', v_invitation.id));
    return query select 'accepted', v_invitation.organization_id;
  end if;
end
$$;
comment on function app.accept_invitation(bytea) is
  'Makes the caller a member, if the invitation is open and was sent to the address that they have confirmed. The same '
  'person accepting again gets the same answer.';
grant execute on function app.accept_invitation(bytea) to authenticated;

create function app.on_owner_gone() returns trigger
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
  'Withdraws the open invitations of an owner who is one no longer: else somebody could leave a way back in.';
create trigger on_owner_gone after delete on public.memberships
  for each row when (old.role = 'owner') execute function app.on_owner_gone();
create trigger on_owner_demoted after update of role on public.memberships
  for each row when (old.role = 'owner' and new.role <> 'owner') execute function app.on_owner_gone();

create or replace function app.on_user_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Metadata is the visitor's own text: strip what a name cannot hold, and never let it refuse a sign-up.
  v_name text := nullif(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'organization_name', ''), '[[:cntrl:]]+', ' ', 'g')), '');
  v_token text := new.raw_user_meta_data ->> 'invitation_token';
begin
  insert into public.profiles (user_id, full_name, email, avatar_url)
  values (
    new.id,
    nullif(left(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]+', ' ', 'g')), 200), ''),
    coalesce(new.email, ''),
    new.raw_user_meta_data ->> 'avatar_url');
  if v_token is not null then
    -- It would travel in every access token from now on.
    update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'invitation_token' where u.id = new.id;
  end if;
  -- Someone invited joins the inviter's organisation instead: invited by the operator, or by a link of ours.
  if new.invited_at is null and not exists (
    select from public.invitations i
    where i.token_hash = sha256(convert_to(v_token, 'UTF8'))
      and i.email = lower(new.email)
      and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  ) then
    perform app.create_organization_for(new.id, left(coalesce(v_name, initcap(split_part(coalesce(new.email, 'My'), '@', 1)) || '''s organisation'), 100));
  end if;
  return null;
end
$$;

call app.add_system_policies();
