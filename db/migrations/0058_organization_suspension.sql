-- Suspension: a superadmin stops an organisation, and lets it go on. And filters of the superadmins' list.

alter table public.organizations add column suspended_at timestamptz;
comment on column public.organizations.suspended_at is
  'Since when a superadmin has suspended it; null: it is not suspended. The reason is in app.organization_suspensions.';

create table app.organization_suspensions (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  suspended_at timestamptz not null default now(),
  suspended_by uuid,
  reason text not null check (char_length(reason) between 1 and 500),
  message text check (char_length(message) between 1 and 1000),
  lifted_at timestamptz,
  lifted_by uuid,
  primary key (organization_id, id)
);
comment on table app.organization_suspensions is
  'Each suspension of an organisation. Apart from organizations, whose rows members read: the reason is for superadmins alone.';
comment on column app.organization_suspensions.suspended_by is
  'The superadmin. No foreign key: the record outlives the account.';
comment on column app.organization_suspensions.reason is 'For superadmins.';
comment on column app.organization_suspensions.message is 'For the organisation''s members; null: there is none.';
comment on column app.organization_suspensions.lifted_at is 'Null: the suspension lasts.';
create unique index organization_suspensions_present_idx on app.organization_suspensions (organization_id)
  where lifted_at is null;
alter table app.organization_suspensions enable row level security;
alter table app.organization_suspensions force row level security;
grant select, insert, update on app.organization_suspensions to service_role;

-- Each filter in each order.
create index organizations_suspended_idx on public.organizations (created_at desc, id desc) where suspended_at is not null;
create index organizations_status_idx on public.organizations (subscription_status, created_at desc, id desc);
create index organizations_status_name_idx on public.organizations (subscription_status, lower(name), id);
create index organizations_plan_idx on public.organizations (subscription_plan_id, created_at desc, id desc);
create index organizations_plan_name_idx on public.organizations (subscription_plan_id, lower(name), id);
-- The index by plan and time serves the foreign key as well.
drop index public.organizations_subscription_plan_id_idx;

-- The emails of an organisation, latest first.
create index emails_organization_idx on app.emails (organization_id, created_at desc, id desc) where organization_id is not null;
