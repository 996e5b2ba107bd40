-- What the inbox shows of issues.

-- Members see which integrations have issues.
grant select (is_tracker) on public.integrations to authenticated;
-- Programs read which issues an item of their project is linked to.
grant select (organization_id, id, feedback_id, label, status_name, stage, state, created_at)
  on public.issue_links to earshot_api_key;
