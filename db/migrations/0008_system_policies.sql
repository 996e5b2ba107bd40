-- What lets the system itself past row-level security where its roles cannot simply bypass it.

create procedure app.add_system_policies()
language plpgsql set search_path = ''
as $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid
    from pg_catalog.pg_class c
    where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace)
      and c.relkind in ('r', 'p')
      and c.relforcerowsecurity
      and not exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname = 'system')
    order by c.oid::regclass::text
  loop
    execute format('create policy system on %s to current_user, service_role using (true) with check (true)', v_table);
  end loop;
end
$$;
comment on procedure app.add_system_policies() is
  'Gives every table without one a policy that shows all rows to its owner, as whom security-definer functions run, and '
  'to service_role. A superuser''s functions need none and service_role usually bypasses row-level security; but on a '
  'managed server the login is no superuser and may grant no bypass, and forced security binds the owner too. A migration '
  'that makes a table ends with a call of this.';

call app.add_system_policies();
