-- The mirror of Stripe: customers, subscriptions, payments, refunds, and the events that Stripe sent.

create table public.stripe_customers (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  customer_id text not null unique check (char_length(customer_id) <= 255),
  reads bigint not null default 0,
  saved_read bigint not null default 0,
  converged_at timestamptz,
  created_at timestamptz not null default now(),
  check (saved_read <= reads)
);
comment on table public.stripe_customers is 'The Stripe customer of an organisation: one, shared by its owners.';
comment on column public.stripe_customers.reads is
  'Number of the latest read of Stripe, taken before it: an older read never overwrites a newer one.';
comment on column public.stripe_customers.saved_read is 'Number of the read that the mirror shows.';
comment on column public.stripe_customers.converged_at is 'When the mirror was last made equal to Stripe; null: never.';
create index stripe_customers_converged_idx on public.stripe_customers (converged_at);
alter table public.stripe_customers enable row level security;
alter table public.stripe_customers force row level security;
grant select, insert, update, delete on public.stripe_customers to service_role;

create table public.subscriptions (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id text not null check (char_length(id) between 1 and 255),
  status text not null check (char_length(status) <= 40),
  plan_id uuid references public.plans (id),
  price_id text not null check (char_length(price_id) <= 255),
  interval text not null check (interval in ('day', 'week', 'month', 'year')),
  cents integer not null check (cents >= 0),
  currency text not null check (char_length(currency) = 3),
  coupon text check (char_length(coupon) <= 255),
  period_start timestamptz,
  period_end timestamptz,
  trial_end timestamptz,
  cancel_at timestamptz,
  cancel_reason text check (char_length(cancel_reason) <= 5000),
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (id)
);
comment on table public.subscriptions is 'Subscriptions at Stripe, mirrored. Only Stripe''s answers are written here.';
comment on column public.subscriptions.id is 'Stripe''s id.';
comment on column public.subscriptions.status is 'Stripe''s status.';
comment on column public.subscriptions.plan_id is 'Null: the product is none of our plans.';
comment on column public.subscriptions.cents is 'Price of an interval before discounts and tax.';
comment on column public.subscriptions.cancel_at is 'When it will end, as the customer asked; null: it renews.';
comment on column public.subscriptions.cancel_reason is 'What the customer gave as reason, or Stripe''s.';
create index subscriptions_plan_idx on public.subscriptions (plan_id);
alter table public.subscriptions enable row level security;
alter table public.subscriptions force row level security;
grant select on public.subscriptions to authenticated;
grant select, insert, update, delete on public.subscriptions to service_role;

create table public.payments (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id text not null check (char_length(id) between 1 and 255),
  number text check (char_length(number) <= 255),
  subscription_id text check (char_length(subscription_id) <= 255),
  status text not null check (char_length(status) <= 40),
  reason text check (char_length(reason) <= 60),
  plan_id uuid references public.plans (id),
  interval text check (interval in ('day', 'week', 'month', 'year')),
  coupon text check (char_length(coupon) <= 255),
  total_cents integer not null,
  tax_cents integer not null,
  due_cents integer not null,
  paid_cents integer not null,
  currency text not null check (char_length(currency) = 3),
  attempts integer not null default 0 check (attempts >= 0),
  error text check (char_length(error) <= 5000),
  next_attempt_at timestamptz,
  page_url text check (char_length(page_url) <= 5000),
  pdf_url text check (char_length(pdf_url) <= 5000),
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (organization_id, id),
  unique (id)
);
comment on table public.payments is 'Finalised invoices at Stripe and what was paid of them, mirrored.';
comment on column public.payments.id is 'Stripe''s id of the invoice.';
comment on column public.payments.status is 'Stripe''s status of the invoice: open, paid, void or uncollectible.';
comment on column public.payments.reason is 'Why there is an invoice: Stripe''s billing_reason.';
comment on column public.payments.plan_id is 'Null: the invoice has no line of a plan.';
comment on column public.payments.error is 'Why the latest attempt to pay failed; null: it did not, or none was made.';
comment on column public.payments.page_url is 'Stripe''s page of the invoice, where it can be paid.';
create index payments_plan_idx on public.payments (plan_id);
create index payments_created_idx on public.payments (organization_id, created_at desc, id desc);
alter table public.payments enable row level security;
alter table public.payments force row level security;
grant select on public.payments to authenticated;
grant select, insert, update, delete on public.payments to service_role;

create table public.refunds (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id text not null check (char_length(id) between 1 and 255),
  payment_id text check (char_length(payment_id) <= 255),
  status text not null check (char_length(status) <= 40),
  reason text check (char_length(reason) <= 255),
  cents integer not null check (cents >= 0),
  currency text not null check (char_length(currency) = 3),
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (id),
  foreign key (organization_id, payment_id) references public.payments (organization_id, id) on delete cascade
);
comment on table public.refunds is 'Refunds at Stripe, mirrored.';
comment on column public.refunds.payment_id is 'Null: the charge belongs to no invoice.';
create index refunds_payment_idx on public.refunds (organization_id, payment_id);
alter table public.refunds enable row level security;
alter table public.refunds force row level security;
grant select on public.refunds to authenticated;
grant select, insert, update, delete on public.refunds to service_role;

create table public.stripe_events (
  id text primary key check (char_length(id) between 1 and 255),
  type text not null check (char_length(type) between 1 and 255),
  customer_id text check (char_length(customer_id) <= 255),
  outcome text not null check (outcome in ('converging', 'unknown_customer', 'unknown_type', 'foreign')),
  created_at timestamptz not null,
  received_at timestamptz not null default now()
);
comment on table public.stripe_events is 'Events that Stripe sent, each once. Kept for 90 days.';
comment on column public.stripe_events.outcome is
  'converging: the mirror of the customer''s organisation is made equal to Stripe. unknown_customer: no organisation has the '
  'customer. unknown_type: of no concern to us. foreign: of another account or mode.';
create index stripe_events_received_idx on public.stripe_events (received_at);
alter table public.stripe_events enable row level security;
alter table public.stripe_events force row level security;
grant select, insert, update, delete on public.stripe_events to service_role;

create table public.stripe_reconciliations (
  id uuid primary key default app.uuid_v7(),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  organizations integer not null default 0,
  differences integer not null default 0,
  failures integer not null default 0
);
comment on table public.stripe_reconciliations is 'Reports of the nightly comparison of the mirror with Stripe.';
comment on column public.stripe_reconciliations.differences is 'Organisations whose mirror was not equal to Stripe.';
comment on column public.stripe_reconciliations.failures is 'Organisations that could not be compared.';
alter table public.stripe_reconciliations enable row level security;
alter table public.stripe_reconciliations force row level security;
grant select, insert, update, delete on public.stripe_reconciliations to service_role;
