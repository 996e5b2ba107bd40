-- Webhooks that Earshot registers at trackers, and emails to owners about integrations that end.

alter table public.integrations
  add column hook_state text check (hook_state in ('registered', 'refused', 'unreachable')),
  add column hook_id text check (char_length(hook_id) between 1 and 500),
  add column hook_url text check (char_length(hook_url) <= 2000),
  add column hook_registered_at timestamptz,
  add column hook_ends_at timestamptz,
  add column hook_failure text check (char_length(hook_failure) <= 500),
  add column disabled_mailed_at timestamptz,
  add column warned_end_at timestamptz,
  add column warned_days integer check (warned_days > 0);
comment on column public.integrations.hook_state is
  'Whether the tracker calls Earshot. refused: the token may not register webhooks. unreachable: APP_URL is an address of '
  'this machine or network. Null: not registered yet, or its type registers none.';
comment on column public.integrations.hook_id is 'The registered webhook, as its type finds it again.';
comment on column public.integrations.hook_url is 'The address that was registered: another one is registered again.';
comment on column public.integrations.hook_ends_at is 'When the tracker forgets the webhook; null: it does not.';
comment on column public.integrations.hook_failure is 'Why the webhook could not be registered, in a sentence.';
comment on column public.integrations.disabled_mailed_at is
  'When owners were emailed that it is disabled; null: not since it was last disabled.';
comment on column public.integrations.warned_end_at is
  'The end of the token (credentials_end_at) that owners were last warned of: another token is warned of again.';
comment on column public.integrations.warned_days is 'How many days before that end: 30, 7 or 1.';

grant select (hook_state, hook_failure) on public.integrations to authenticated;
