-- Withdrawals from the contract (EU directive 2023/2673): proof of what was declared and when, and safe to repeat.

create table public.withdrawals (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  subscription_id text not null check (char_length(subscription_id) between 1 and 255),
  plan_name text not null check (char_length(plan_name) <= 60),
  name text not null check (char_length(name) between 1 and 200),
  email text not null check (char_length(email) between 3 and 320),
  requested_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (organization_id, subscription_id)
);
comment on table public.withdrawals is 'Consumers who withdrew from the contract of a subscription.';
comment on column public.withdrawals.subscription_id is 'Stripe''s id.';
comment on column public.withdrawals.name is 'Who declared it, as they typed it.';
comment on column public.withdrawals.email is 'Where the receipt is sent.';
comment on column public.withdrawals.completed_at is
  'When the subscription had ended, its payments were refunded and the receipt was written; null: not yet.';
alter table public.withdrawals enable row level security;
alter table public.withdrawals force row level security;
grant select, insert, update, delete on public.withdrawals to service_role;
