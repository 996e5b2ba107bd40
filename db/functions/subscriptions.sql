-- Owners read the mirror of Stripe; only the system writes it.

drop policy if exists subscriptions_select on public.subscriptions;
create policy subscriptions_select on public.subscriptions for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));

drop policy if exists payments_select on public.payments;
create policy payments_select on public.payments for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));

drop policy if exists refunds_select on public.refunds;
create policy refunds_select on public.refunds for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
