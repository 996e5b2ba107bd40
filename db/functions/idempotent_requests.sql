-- Requests of the public API that name themselves.

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists idempotent_requests_key on app.idempotent_requests;
create policy idempotent_requests_key on app.idempotent_requests to earshot_api_key
  -- Whatever the scope: a key that reads may request exports.
  using ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k))
  with check ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k));

-- A new table: see the end of app.sql, which ran before this file.
call app.add_system_policies();
