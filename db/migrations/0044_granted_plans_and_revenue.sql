-- Plans that superadmins give without payment, and monthly recurring revenue.

create table public.granted_plans (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  plan_id uuid not null references public.plans (id),
  ends_at timestamptz,
  reason text not null check (char_length(reason) between 1 and 500),
  trial_ends_at timestamptz,
  granted_by uuid,
  granted_at timestamptz not null default now()
);
comment on table public.granted_plans is
  'Plans that superadmins gave without payment. One counts where Stripe has no subscription that gives access.';
comment on column public.granted_plans.ends_at is 'When it ends; null: until it is revoked.';
comment on column public.granted_plans.trial_ends_at is
  'End of the trial that it interrupted, which continues if the plan is revoked before; null: none.';
comment on column public.granted_plans.granted_by is 'The superadmin; the account may be deleted.';
create index granted_plans_plan_idx on public.granted_plans (plan_id);
create index granted_plans_ends_idx on public.granted_plans (ends_at) where ends_at is not null;
alter table public.granted_plans enable row level security;
alter table public.granted_plans force row level security;
grant select, insert, update, delete on public.granted_plans to service_role;

-- Null in rows from before: the next comparison with Stripe fills them in.
alter table public.payments
  add column period_start timestamptz,
  add column period_end timestamptz,
  add column recurring_cents integer check (recurring_cents >= 0);
comment on column public.payments.period_start is 'Beginning of the time that the line of the plan pays for; null: no such line.';
comment on column public.payments.period_end is 'End of that time.';
comment on column public.payments.recurring_cents is
  'What the plan costs in each interval after this invoice''s discounts, without tax and prorations; null: no such line.';
create index payments_paid_idx on public.payments (paid_at) where status = 'paid';
create index refunds_created_idx on public.refunds (created_at);

create table public.revenue_changes (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  at timestamptz not null,
  before_cents integer not null check (before_cents >= 0),
  after_cents integer not null check (after_cents >= 0),
  primary key (organization_id, at),
  check (before_cents <> after_cents)
);
comment on table public.revenue_changes is
  'When the monthly recurring revenue of an organisation changed. Derived from its payments whenever the mirror of Stripe '
  'is written; rows in the future are what is known by now.';
comment on column public.revenue_changes.after_cents is 'Monthly recurring revenue from then on, in cents of a US dollar.';
alter table public.revenue_changes enable row level security;
alter table public.revenue_changes force row level security;
grant select, insert, update, delete on public.revenue_changes to service_role;
