-- Lists of members by name, when members were last active, and the logos of organisations.

alter table public.memberships add column listed_as text not null default '';
comment on column public.memberships.listed_as is
  'Name in lower case, or the address without one: lists of members are sorted by it. Kept in step with the profile.';
update public.memberships m set listed_as = lower(left(coalesce(nullif(p.full_name, ''), p.email), 200))
from public.profiles p
where p.user_id = m.user_id;
create index memberships_listed_as_idx on public.memberships (organization_id, listed_as, user_id);

create table public.member_activity (
  organization_id uuid not null,
  user_id uuid not null,
  last_active_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references public.memberships (organization_id, user_id) on delete cascade
);
comment on table public.member_activity is
  'When members last worked in an organisation. Apart from memberships, because only owners may read it.';
comment on column public.member_activity.last_active_at is 'Written at most once in ten minutes.';

alter table public.member_activity enable row level security;
alter table public.member_activity force row level security;
grant select on public.member_activity to authenticated;
grant select, insert, update, delete on public.member_activity to service_role;

create table public.organization_logos (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  id uuid not null unique,
  mime text not null check (mime in ('image/webp', 'image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 102400),
  created_at timestamptz not null default now()
);
comment on table public.organization_logos is
  'Uploaded logos. A new logo gets a new id, so that its URL can be cached forever.';

alter table public.organization_logos enable row level security;
alter table public.organization_logos force row level security;
grant select, insert, update, delete on public.organization_logos to authenticated;
grant select, insert, update, delete on public.organization_logos to service_role;

grant update (slug) on public.organizations to authenticated;
