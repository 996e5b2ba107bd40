-- How items become issues, and emails that tell visitors that their feedback is resolved.

alter table public.integrations
  add column mapping jsonb not null default '{}' check (jsonb_typeof(mapping) = 'object');
comment on column public.integrations.mapping is
  'Of a tracker: how items become issues and statuses stages, as in contract/issue-mapping.ts.';
grant select (mapping), insert (mapping), update (mapping) on public.integrations to authenticated;

alter table public.issue_links
  add column agreed_item_stage text check (agreed_item_stage in ('todo', 'started', 'done', 'dropped'));
comment on column public.issue_links.agreed_stage is
  'The stage that the issue''s status counted as when both sides were last alike; null: not compared yet.';
comment on column public.issue_links.agreed_item_stage is
  'The item''s stage at that time. It may differ: a mapping can give two stages one status. Null: the issue was just created.';

alter table public.projects add column emails_on_resolve boolean not null default false;
comment on column public.projects.emails_on_resolve is 'Whether visitors get an email when their feedback is resolved.';
grant update (emails_on_resolve) on public.projects to authenticated;

create table public.resolution_emails (
  organization_id uuid not null,
  feedback_id uuid not null,
  queued_at timestamptz not null default now(),
  primary key (organization_id, feedback_id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
comment on table public.resolution_emails is
  'Items whose visitor was emailed that they are resolved: once, however often they are reopened and resolved again. Apart '
  'from feedback, because it is no change of the item.';
alter table public.resolution_emails enable row level security;
alter table public.resolution_emails force row level security;
grant select, insert on public.resolution_emails to service_role;
