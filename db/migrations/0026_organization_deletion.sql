-- Several organisations of one user: who created one, which was opened last, and deletion after a period of grace.

alter table public.organizations
  add column created_by uuid,
  add column closed_at timestamptz,
  add column closed_by uuid,
  add column delete_after timestamptz,
  add constraint organizations_closing_check check ((closed_at is null) = (delete_after is null));
comment on column public.organizations.created_by is
  'Who created it; null: older than this column. No foreign key: an organisation outlives the account.';
comment on column public.organizations.closed_at is
  'Since when it is closed for its members, because an owner deleted it; null: open.';
comment on column public.organizations.closed_by is 'The owner who deleted it. No foreign key, as for created_by.';
comment on column public.organizations.delete_after is
  'When a closed organisation is removed with everything in it. Until then an owner can restore it.';

-- Counts what someone created within a day.
create index organizations_created_by_idx on public.organizations (created_by, created_at) where created_by is not null;
create index organizations_delete_after_idx on public.organizations (delete_after) where delete_after is not null;

-- Deletion goes through app.close_organization: directly, it would know no confirmation and no grace.
revoke delete on public.organizations from authenticated;

alter table public.memberships add column selected_at timestamptz;
comment on column public.memberships.selected_at is
  'When the member last switched to the organisation; null: never. At sign-in, the latest opens.';
