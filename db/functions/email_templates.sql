-- Words of emails are read and written by the system alone. Every process has them in memory.

create or replace function app.on_email_template_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('email_template_changed', '');
  return null;
end
$$;
comment on function app.on_email_template_changed() is 'Tells every process to read the words of emails again.';
create or replace trigger on_email_template_changed
  after insert or update or delete on app.email_templates
  for each statement execute function app.on_email_template_changed();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists email_templates_service on app.email_templates;
create policy email_templates_service on app.email_templates to service_role
  using (id is not null) with check (id is not null);

drop policy if exists email_template_revisions_service on app.email_template_revisions;
create policy email_template_revisions_service on app.email_template_revisions to service_role
  using (id is not null) with check (id is not null);
