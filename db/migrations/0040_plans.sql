-- Plans, what organisations use of them, and the warnings that owners were sent.

create table public.plans (
  id uuid primary key default app.uuid_v7(),
  key text not null unique check (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(key) <= 60),
  name text not null check (char_length(name) between 1 and 60),
  for_whom text not null default '' check (char_length(for_whom) <= 200),
  monthly_cents integer not null check (monthly_cents between 0 and 99999999),
  yearly_cents integer not null check (yearly_cents between 0 and 99999999),
  max_projects integer check (max_projects > 0),
  max_members integer check (max_members > 0),
  max_items_per_month integer check (max_items_per_month > 0),
  position integer not null default 0,
  stripe_product_id text check (char_length(stripe_product_id) <= 255),
  stripe_monthly_price_id text check (char_length(stripe_monthly_price_id) <= 255),
  stripe_yearly_price_id text check (char_length(stripe_yearly_price_id) <= 255),
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.plans is
  'What organisations subscribe to, the same for all. Written by superadmins. A plan in use can be retired, not deleted.';
comment on column public.plans.key is 'Names the plan in code, addresses and payments. Never changes.';
comment on column public.plans.monthly_cents is 'Price of a month, in cents of a US dollar.';
comment on column public.plans.yearly_cents is 'Price of a year, in cents of a US dollar.';
comment on column public.plans.max_projects is 'Projects that are not archived; null: unlimited.';
comment on column public.plans.max_members is 'Members and open invitations, viewers apart; null: unlimited.';
comment on column public.plans.max_items_per_month is 'Items received in a month (UTC) that the team can read; null: unlimited.';
comment on column public.plans.position is 'Order on the page of plans, the lowest first.';
comment on column public.plans.retired_at is 'Since when no one can choose it; null: it is offered. Organisations on it keep it.';

insert into public.plans (
  key, name, for_whom, monthly_cents, yearly_cents, max_projects, max_members, max_items_per_month, position)
values
  ('starter', 'Starter', 'For a small team and its first websites.', 1900, 19000, 3, 5, 500, 10),
  ('growth', 'Growth', 'For growing teams with more feedback.', 4900, 49000, 10, 15, 5000, 20),
  ('business', 'Business', 'For organisations with many websites.', 12900, 129000, null, null, 50000, 30);

-- Forced after the rows above: no policy lets the owner add them yet.
alter table public.plans enable row level security;
alter table public.plans force row level security;
grant select, insert, update, delete on public.plans to service_role;

alter table public.organizations
  add constraint organizations_subscription_plan_id_fkey foreign key (subscription_plan_id) references public.plans (id);
create index organizations_subscription_plan_id_idx on public.organizations (subscription_plan_id);
-- Trials that end, and organisations whose use is compared with their plan.
create index organizations_billed_idx on public.organizations (id)
  where subscription_status in ('trialing', 'active', 'past_due');
comment on column public.organizations.subscription_status is
  'self_hosted: no trial and no limits. trialing: no limits until trial_ends_at. active, past_due: the limits of the plan. '
  'Otherwise new feedback is locked. Written by one function of the billing feature.';
comment on column public.organizations.subscription_plan_id is 'The plan; null: none, or one without limits.';

create table public.item_months (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  month date not null check (extract(day from month) = 1),
  received bigint not null default 0 check (received >= 0),
  counted bigint not null default 0 check (counted >= 0),
  primary key (organization_id, month)
);
comment on table public.item_months is
  'Items by month (UTC) of organisations that are billed, counted where they are stored.';
comment on column public.item_months.received is 'All that arrived, spam apart.';
comment on column public.item_months.counted is 'Those that use up the plan: readable ones that arrived outside of a trial.';

alter table public.item_months enable row level security;
alter table public.item_months force row level security;
grant select, insert, update, delete on public.item_months to service_role;

create table public.plan_warnings (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  kind text not null check (kind in ('items', 'projects', 'members', 'trial_expiring', 'trial_ended')),
  level smallint not null check (level between 0 and 100),
  period text not null check (char_length(period) between 1 and 60),
  used bigint,
  max bigint,
  created_at timestamptz not null default now(),
  mailed_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, kind, period, level)
);
comment on table public.plan_warnings is 'Warnings about limits and trials that owners were sent: each once.';
comment on column public.plan_warnings.level is
  'Of a limit: 80, 90 or 100 percent used. Of a trial: 7, 3 or 1 days left; 0: it has ended.';
comment on column public.plan_warnings.period is
  'The month for items, the plan for projects and members, the end of the trial for trials: in another, owners are warned '
  'again.';
comment on column public.plan_warnings.mailed_at is 'When the emails about it were written; null: still to be written.';

alter table public.plan_warnings enable row level security;
alter table public.plan_warnings force row level security;
grant select, insert, update, delete on public.plan_warnings to service_role;
