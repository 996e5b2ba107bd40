-- One person is one visitor: which visitors belong together. And what imports leave out of rows.

create table public.visitor_joins (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  part_key text not null check (char_length(part_key) between 1 and 254),
  into_key text not null check (char_length(into_key) between 1 and 254),
  root_key text not null check (char_length(root_key) between 1 and 254),
  cause text not null check (cause in ('verified', 'member')),
  joined_by uuid,
  joined_at timestamptz not null default now(),
  separated_at timestamptz,
  primary key (organization_id, part_key),
  check (part_key <> into_key and part_key <> root_key)
);
comment on table public.visitor_joins is
  'Visitors that are part of another. Nothing is rewritten: lists, filters, exports and erasures follow these rows.';
comment on column public.visitor_joins.id is 'Names the join in events, which never name a visitor.';
comment on column public.visitor_joins.part_key is 'Key of the visitor that is part of another; as in visitors.key.';
comment on column public.visitor_joins.into_key is 'The visitor that it was merged into. Undoing takes it out of there.';
comment on column public.visitor_joins.root_key is 'The visitor under whom all parts are shown.';
comment on column public.visitor_joins.cause is
  'verified: the mailbox of the address answered a conversation of the signed id. member: merged by hand.';
comment on column public.visitor_joins.joined_by is 'Member who merged them. No foreign key: the row outlives the account.';
comment on column public.visitor_joins.separated_at is
  'When a member undid it; null: it holds. The row stays, so that the two are not joined again by themselves.';
create index visitor_joins_root_idx on public.visitor_joins (organization_id, root_key) where separated_at is null;

alter table public.visitor_joins enable row level security;
alter table public.visitor_joins force row level security;
grant select on public.visitor_joins to authenticated;
grant select, insert, update, delete on public.visitor_joins to service_role;

alter table public.visitor_erasures add column keys text[];
alter table public.visitor_erasures add check (state = 'running' or keys is null);
comment on column public.visitor_erasures.keys is
  'Keys of the visitor and of the parts, found before the first item is deleted. Emptied when done.';

alter table public.imports add column incomplete integer not null default 0 check (incomplete >= 0);
comment on column public.imports.incomplete is 'Accepted rows that lose optional values, because these cannot be read.';

alter table public.import_problems add column is_row_left_out boolean not null default true;
comment on column public.import_problems.is_row_left_out is
  'Whether the row is left out; false: only the values that the reason names.';
