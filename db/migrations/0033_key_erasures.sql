-- Erasures that an API key requested: of one project.

alter table public.visitor_erasures add column project_id uuid;
comment on column public.visitor_erasures.project_id is
  'The only project whose items it erases; null: all. No foreign key: the row outlives the project.';
comment on column public.visitor_erasures.requested_by is
  'Member or, for an erasure of one project, API key. No foreign key: the row outlives both.';
grant select on public.visitor_erasures to earshot_api_key;
grant insert (organization_id, id, project_id, subject, subject_hash, requested_by)
  on public.visitor_erasures to earshot_api_key;
