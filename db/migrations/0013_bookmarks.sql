create table public.bookmarks (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  title text not null check (char_length(title) between 1 and 80),
  url text not null check (char_length(url) <= 2000),
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
comment on table public.bookmarks is 'Addresses that a team keeps at hand.';
comment on column public.bookmarks.id is 'Made by the sender: that makes a retry safe.';

alter table public.bookmarks enable row level security;
alter table public.bookmarks force row level security;
grant select, insert, delete on public.bookmarks to authenticated;
grant select on public.bookmarks to service_role;
