-- Disconnecting an integration hides it at once; a job deletes its deliveries, which may be millions, in batches.

alter table public.integrations add column removed_at timestamptz;
comment on column public.integrations.removed_at is
  'When it was disconnected: from then on it is hidden and sends nothing, while a job deletes what belongs to it.';

revoke delete on public.integrations from authenticated;
grant delete on public.integrations, public.issue_links to service_role;
