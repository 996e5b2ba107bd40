-- Quotas.

drop policy if exists full_quotas_select on public.full_quotas;
create policy full_quotas_select on public.full_quotas for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
