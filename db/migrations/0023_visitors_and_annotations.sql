-- Sums of visitors for their list: items, last rating, open and unanswered items. And annotated pictures.

alter table public.visitors
  add column items integer not null default 0 check (items >= 0),
  add column open_items integer not null default 0 check (open_items >= 0),
  add column unanswered_items integer not null default 0 check (unanswered_items >= 0),
  add column last_rating smallint check (last_rating between 1 and 5);
comment on column public.visitors.items is
  'Items of the visitor and of its parts, in any location. Counted by a job, of each the newest 1,000; 1,000 means that '
  'many or more.';
comment on column public.visitors.open_items is 'Of these, the ones in the inbox that are neither resolved nor closed.';
comment on column public.visitors.unanswered_items is 'Of the open ones, those that wait for an answer of the team.';
comment on column public.visitors.last_rating is 'Rating of the newest item that has one.';
create index visitors_items_idx on public.visitors (organization_id, items desc, last_seen_at desc, key desc);
create index visitors_unanswered_idx on public.visitors
  (organization_id, unanswered_items desc, last_seen_at desc, key desc);

create table app.visitor_marks (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  key text not null,
  primary key (organization_id, id)
);
comment on table app.visitor_marks is
  'Visitors whose items changed or were deleted, so that their sums have to be counted again. Rows are only added and '
  'deleted, so that no two writers of items wait for each other.';
comment on column app.visitor_marks.organization_id is
  'No foreign key: deleting an organisation marks its visitors too.';
comment on column app.visitor_marks.key is 'As in visitors.key.';
create index visitor_marks_id_idx on app.visitor_marks (id);

alter table app.visitor_marks enable row level security;
alter table app.visitor_marks force row level security;
-- Update: only to lock marks, so that two processes take different ones.
grant select, insert, update, delete on app.visitor_marks to service_role;

-- The visitors there are. The owner may be subject to the policies, too.
alter table public.feedback no force row level security;
alter table public.visitor_joins no force row level security;
alter table public.visitors no force row level security;
update public.visitors v
set items = least(s.items, 1000), open_items = least(s.open_items, 1000),
  unanswered_items = least(s.unanswered_items, 1000), last_rating = s.last_rating
from (
  select f.organization_id, k.key, count(*) as items, count(*) filter (where f.is_open) as open_items,
    count(*) filter (where f.is_open and f.is_unanswered) as unanswered_items,
    (array_agg(f.rating order by f.created_at desc) filter (where f.rating is not null))[1] as last_rating
  from (
    select organization_id, coalesce(visitor_id, lower(visitor_email)) as key, created_at, rating,
      location = 'inbox' and status in ('new', 'open', 'in_progress') as is_open,
      last_reply_by = 'visitor' or last_reply_by is null and coalesce(visitor_email, '') <> '' as is_unanswered
    from public.feedback
    where coalesce(visitor_id, visitor_email) is not null
  ) f
  cross join lateral (
    select f.key
    union all
    select j.root_key from public.visitor_joins j
    where j.organization_id = f.organization_id and j.part_key = f.key and j.separated_at is null
  ) as k (key)
  group by 1, 2
) s
where v.organization_id = s.organization_id and v.key = s.key;
alter table public.visitors force row level security;
alter table public.visitor_joins force row level security;
alter table public.feedback force row level security;

-- Pictures that members drew on.
alter table public.feedback_attachments
  add column annotates uuid,
  add column added_by uuid,
  add constraint feedback_attachments_annotation_check check ((annotates is null) = (added_by is null));
comment on column public.feedback_attachments.annotates is
  'The picture that this one was drawn on; null: the visitor sent it. No foreign key: both are deleted with their item.';
comment on column public.feedback_attachments.added_by is
  'The member who drew it. No foreign key: the picture outlives the account.';
