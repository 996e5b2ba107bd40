-- Accounts as superadmins list, search and filter them: no role of the API may read auth.users, and its indexes are not ours.

create table app.accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  search text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  banned_until timestamptz
);
comment on table app.accounts is 'What superadmins list of accounts. A copy of auth.users kept by trigger, without deleted accounts.';
comment on column app.accounts.search is 'Name and address in lower case.';
create index accounts_latest_idx on app.accounts (created_at desc, user_id desc);
create index accounts_unconfirmed_idx on app.accounts (created_at desc, user_id desc) where confirmed_at is null;
create index accounts_banned_idx on app.accounts (created_at desc, user_id desc) where banned_until is not null;
create index accounts_search_idx on app.accounts using gin (search gin_trgm_ops);
alter table app.accounts enable row level security;
alter table app.accounts force row level security;
grant select on app.accounts to service_role;

insert into app.accounts (user_id, search, created_at, confirmed_at, banned_until)
select u.id, lower(coalesce(p.full_name || ' ', '') || coalesce(u.email, '')), coalesce(u.created_at, now()),
  u.email_confirmed_at, u.banned_until
from auth.users u
left join public.profiles p on p.user_id = u.id
where u.deleted_at is null;
