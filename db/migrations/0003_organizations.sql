-- Organisations, their members, invitations and profile pictures. Every other tenant table refers to these.

create table public.organizations (
  id uuid primary key default app.uuid_v7(),
  name text not null check (char_length(name) between 1 and 100),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  trial_ends_at timestamptz,
  subscription_status text not null default 'self_hosted'
    check (subscription_status in ('trialing', 'active', 'past_due', 'canceled', 'expired', 'self_hosted')),
  subscription_plan_id uuid,
  created_at timestamptz not null default now(),
  mails_hold_words boolean not null default true
);
comment on table public.organizations is 'A customer: owns projects, has members, pays one subscription.';
comment on column public.organizations.slug is 'The name as a part of a URL. Unique in the instance.';
comment on column public.organizations.trial_ends_at is 'End of the trial; null: no trial.';
comment on column public.organizations.mails_hold_words is
  'Whether emails to members quote visitors'' messages. False: they only link to the item.';

alter table public.organizations enable row level security;
alter table public.organizations force row level security;
grant select, update (name, mails_hold_words), delete on public.organizations to authenticated;
grant select, insert, update, delete on public.organizations to service_role;

create table public.memberships (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  joined_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
comment on table public.memberships is 'Members of organisations, with their roles.';
create index memberships_user_id_idx on public.memberships (user_id, joined_at);

alter table public.memberships enable row level security;
alter table public.memberships force row level security;
grant select, update (role), delete on public.memberships to authenticated;
grant select, insert, update, delete on public.memberships to service_role;

create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  email text not null,
  avatar_url text
);
comment on table public.profiles is
  'Names, addresses and pictures that members may see. A copy of auth.users kept by trigger: no role of the API may '
  'read that table.';

alter table public.profiles enable row level security;
alter table public.profiles force row level security;
grant select on public.profiles to authenticated, service_role;

create table app.superadmins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
comment on table app.superadmins is 'People who run the instance. They hold every permission in every organisation.';

alter table app.superadmins enable row level security;
alter table app.superadmins force row level security;
grant select, insert, delete on app.superadmins to service_role;

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
comment on table public.invitations is
  'Invitations into an organisation, each for one address. Accepted and revoked ones stay as a record.';
comment on column public.invitations.token_hash is
  'SHA-256 of the link''s token. The token itself is only in the email.';
comment on column public.invitations.invited_by is
  'The owner who invited. No foreign key: an invitation outlives the account.';
comment on column public.invitations.sent_at is 'When the latest email was queued; inviting again sends another.';
-- One pending invitation per address: inviting again renews it.
create unique index invitations_pending_idx on public.invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;
create index invitations_sent_at_idx on public.invitations (organization_id, sent_at desc);

alter table public.invitations enable row level security;
alter table public.invitations force row level security;
grant select, insert, update (
  role, token_hash, invited_by, sent_at, expires_at, revoked_at
) on public.invitations to authenticated;
grant select, insert, update, delete on public.invitations to service_role;

create table public.avatars (
  user_id uuid primary key references auth.users (id) on delete cascade,
  id uuid not null unique,
  mime text not null check (mime in ('image/webp', 'image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 102400),
  created_at timestamptz not null default now()
);
comment on table public.avatars is
  'Uploaded profile pictures. A new picture gets a new id, so that its URL can be cached forever.';

alter table public.avatars enable row level security;
alter table public.avatars force row level security;
grant select, insert, update, delete on public.avatars to authenticated;
grant select, delete on public.avatars to service_role;
