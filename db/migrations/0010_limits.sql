-- Rate limits that all processes share.

-- Unlogged: nothing here is worth a write to the log that survives a crash. After one, everybody's share is full again.
-- Rows are mostly updated in place, which no index but the key's and some room on each page keep possible.
create unlogged table app.rate_limits (
  name text not null,
  key_hash bytea not null,
  full_at timestamptz not null,
  primary key (name, key_hash)
) with (fillfactor = 70);
comment on table app.rate_limits is
  'Token buckets, one row each. A bucket without a row is full, so rows whose moment has passed can go.';
comment on column app.rate_limits.name is 'What is limited, e.g. sign_up.';
comment on column app.rate_limits.key_hash is 'SHA-256 of whom it limits: an address of the net or of mail is not kept as such.';
comment on column app.rate_limits.full_at is
  'When the bucket will be full again if nobody takes from it. Each token taken moves it by the time one token needs.';

alter table app.rate_limits enable row level security;
alter table app.rate_limits force row level security;
grant select, delete on app.rate_limits to service_role;

create function app.take_token(p_name text, p_key text, p_capacity integer, p_refill_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_hash constant bytea := sha256(convert_to(p_key, 'UTF8'));
  v_refill constant interval := make_interval(secs => p_refill_ms / 1000.0);
  v_token constant interval := make_interval(secs => p_refill_ms / 1000.0 / p_capacity);
  v_full_at timestamptz;
begin
  -- Most who are refused are refused here, by one look at an index: without a lock and without a write.
  select r.full_at into v_full_at
  from app.rate_limits r
  where r.name = p_name and r.key_hash = v_hash;

  if not found or v_full_at + v_token <= clock_timestamp() + v_refill then
    insert into app.rate_limits as r (name, key_hash, full_at)
    values (p_name, v_hash, clock_timestamp() + v_token)
    on conflict (name, key_hash) do update set full_at = greatest(r.full_at, clock_timestamp()) + v_token
      where greatest(r.full_at, clock_timestamp()) + v_token <= clock_timestamp() + v_refill;
    if found then
      return 0;
    end if;
    -- Others took the last tokens while this one waited for the row.
    select r.full_at into v_full_at
    from app.rate_limits r
    where r.name = p_name and r.key_hash = v_hash;
  end if;

  -- A moment further away than an empty bucket needs comes from a clock that went back, or from a setting that has
  -- changed since. It counts as an empty bucket, and is made one: nobody waits for longer than one token takes.
  if v_full_at > clock_timestamp() + v_refill then
    update app.rate_limits r set full_at = clock_timestamp() + v_refill
    where r.name = p_name and r.key_hash = v_hash and r.full_at > clock_timestamp() + v_refill;
    v_full_at := clock_timestamp() + v_refill;
  end if;
  return greatest(1, ceil(1000 * extract(epoch from v_full_at + v_token - v_refill - clock_timestamp()))::integer);
end
$$;
comment on function app.take_token(text, text, integer, integer) is
  'Takes one token of a bucket that holds p_capacity and fills evenly within p_refill_ms. 0: taken; else the '
  'milliseconds until there is one. Of many askers at once, in however many processes, exactly as many are granted as '
  'there are tokens. Granted to the powerless role, so that a request is limited in one round trip.';
grant execute on function app.take_token(text, text, integer, integer) to authenticator, supabase_auth_admin;

call app.add_system_policies();
