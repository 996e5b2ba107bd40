-- Feedback: items, their history and conversation, counts and words for the inbox, bulk operations, saved views,
-- visitors, exports and imports.

-- Functions of generated columns -------------------------------------------------------------------------------------

-- Here and not in db/functions: the table stores their results, so a change of one has to rewrite the table too. Those
-- without `set search_path` are inlined by PostgreSQL: measured over 300 batches of 30 submissions, ingest takes 0.8 %
-- longer than with the expressions written out.

create function app.get_location(
  p_deleted_at timestamptz, p_merged_into uuid, p_spam_reason text, p_archived_at timestamptz) returns text
language sql immutable parallel safe
as $$
  select case
    when p_deleted_at is not null then 'trash'
    when p_merged_into is not null then 'merged'
    when p_spam_reason is not null then 'spam'
    when p_archived_at is not null then 'archived'
    else 'inbox'
  end
$$;
comment on function app.get_location(timestamptz, uuid, text, timestamptz) is 'The location of an item.';

create function app.get_facet_prefix(p_organization_id uuid, p_location text) returns text
language sql immutable parallel safe
as $$
  select right(p_organization_id::text, 5) || left(p_location, 1)
$$;
comment on function app.get_facet_prefix(uuid, text) is
  'The first six characters of facet tokens, so that the index entry of a token refers to few items of other '
  'organisations or locations.';

create function app.make_list_facets(p_prefix text, p_media_kinds text[], p_tags text[]) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array(
    select p_prefix || 'm' || k.kind from unnest(p_media_kinds) as k (kind)
    union all select p_prefix || 't' || lower(t.tag) from unnest(p_tags) as t (tag))
$$;
comment on function app.make_list_facets(text, text[], text[]) is
  'Facet tokens of the properties that an item has several of.';

create function app.make_facets(
  p_prefix text, p_project_id uuid, p_type text, p_source text, p_status text, p_priority text, p_assignee_user_id uuid,
  p_message text, p_rating smallint, p_media_kinds text[], p_tags text[], p_visitor_id text, p_visitor_email text,
  p_created_at timestamptz, p_updated_at timestamptz, p_first_viewed_at timestamptz) returns tsvector
language sql immutable parallel safe
as $$
  -- Tokens are joined to one text and split again: no value contains a line feed, which stands for the prefix. That is
  -- faster than an array of tokens, each with its own prefix.
  select array_to_tsvector(
    string_to_array(
      substr(replace(
        E'\nj' || p_project_id::text || E'\ns' || p_status || E'\np' || p_priority || E'\nk' || p_type || E'\no' || p_source
          || E'\na' || coalesce(p_assignee_user_id::text, 'none')
          || case when p_updated_at <> p_created_at then E'\n!touched' else E'\n!fresh' end
          || E'\nx' || (extract(epoch from p_created_at at time zone 'utc')::bigint >> 16)::text
          || E'\ny' || (extract(epoch from p_created_at at time zone 'utc')::bigint >> 20)::text
          || case when p_message <> '' then E'\nmtext' else '' end
          || case when p_rating is null then '' else E'\nr' || p_rating::text end
          || case when p_first_viewed_at is null then E'\nunread' else '' end
          || case
            when p_visitor_id is not null then E'\nv' || replace(p_visitor_id, E'\n', ' ')
            when p_visitor_email <> '' then E'\ne' || lower(replace(p_visitor_email, E'\n', ' '))
            else ''
          end,
        E'\n', E'\n' || p_prefix), 2),
      E'\n')
    || case
      when p_media_kinds = '{}' and p_tags = '{}' then '{}'::text[]
      else app.make_list_facets(p_prefix, p_media_kinds, p_tags)
    end)
$$;
comment on function app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[], text,
  text, timestamptz, timestamptz, timestamptz) is
  'Facet tokens of an item. After the prefix: j project, s status, p priority, k type, o source, a assignee, !touched or '
  '!fresh, x and y time of receipt in blocks of 2^16 and 2^20 seconds, m kind of content, r rating, unread, v visitor '
  'id, e email, t tag.';

-- Generated columns run as the role that writes the item.
grant execute on function
  app.get_location(timestamptz, uuid, text, timestamptz),
  app.get_facet_prefix(uuid, text),
  app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[], text, text, timestamptz,
    timestamptz, timestamptz),
  app.make_list_facets(text, text[], text[])
to authenticated, service_role;

-- Items --------------------------------------------------------------------------------------------------------------

create table public.feedback (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  number bigint not null check (number > 0),
  type text not null check (type in ('bug', 'idea', 'question', 'praise', 'other')),
  source text not null check (source in ('widget', 'api', 'link', 'import', 'manual', 'test')),
  status text not null default 'new' check (status in ('new', 'open', 'in_progress', 'resolved', 'closed')),
  closed_reason text check (closed_reason in ('wont_fix', 'duplicate', 'not_reproducible')),
  priority text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  message text not null check (char_length(message) <= 10000),
  rating smallint check (rating between 1 and 5),
  visitor_email text check (char_length(visitor_email) <= 254),
  visitor_name text check (char_length(visitor_name) <= 200),
  page_url text not null check (char_length(page_url) <= 4096),
  page_title text check (char_length(page_title) <= 500),
  context jsonb not null default '{}',
  metadata jsonb not null default '{}',
  content_hash bytea not null check (octet_length(content_hash) = 32),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  first_viewed_at timestamptz,
  resolved_at timestamptz,
  search tsvector not null,
  nps smallint check (nps between 0 and 10),
  fields jsonb not null default '{}',
  consent boolean,
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  visitor_id text check (char_length(visitor_id) between 1 and 200),
  visitor_verified boolean not null default false,
  visitor_key_hash bytea check (octet_length(visitor_key_hash) = 32),
  spam_reason text check (char_length(spam_reason) between 1 and 40),
  assignee_user_id uuid,
  archived_at timestamptz,
  deleted_at timestamptz,
  merged_into uuid constraint feedback_merged_check check (merged_into <> id),
  first_response_at timestamptz,
  location text not null generated always as (
    app.get_location(deleted_at, merged_into, spam_reason, archived_at)) stored,
  media_kinds text[] not null default '{}',
  facets tsvector not null generated always as (
    app.make_facets(
      -- Not from the column location: a generated column cannot refer to another.
      app.get_facet_prefix(organization_id, app.get_location(deleted_at, merged_into, spam_reason, archived_at)),
      project_id, type, source, status, priority, assignee_user_id, message, rating, media_kinds, tags, visitor_id,
      visitor_email, created_at, updated_at, first_viewed_at)) stored,
  primary key (organization_id, id),
  unique (organization_id, project_id, number),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade,
  constraint feedback_closed_check check (closed_reason is null or status = 'closed'),
  constraint feedback_assignee_fkey foreign key (organization_id, assignee_user_id)
    references public.memberships (organization_id, user_id) on delete set null (assignee_user_id),
  constraint feedback_merged_fkey foreign key (organization_id, merged_into)
    references public.feedback (organization_id, id) on delete set null (merged_into)
);
comment on table public.feedback is 'Feedback items: one row per submission, numbered per project.';
comment on column public.feedback.id is
  'Made by the sender (UUIDv7), the same for every retry: that makes a retry safe.';
comment on column public.feedback.number is 'Number within the project, never reused: #123.';
comment on column public.feedback.message is 'May be empty if there is a rating, NPS score, answer or attachment.';
comment on column public.feedback.context is 'Browser and page, as the widget saw them.';
comment on column public.feedback.metadata is 'Metadata that the site attached.';
comment on column public.feedback.content_hash is
  'SHA-256 of the submission: tells a retry from another submission with the same id.';
comment on column public.feedback.version is
  'Incremented by every change of the team; a change based on an older version is refused.';
comment on column public.feedback.first_viewed_at is 'When a member first opened it; null: unread.';
comment on column public.feedback.search is
  'Words of message, visitor and page, made by app.make_search; by trigger where the writer left it empty.';
comment on column public.feedback.nps is 'How likely the visitor is to recommend, 0 to 10.';
comment on column public.feedback.fields is 'Answers to the project''s own questions, by their ids.';
comment on column public.feedback.consent is 'Whether the visitor agreed to the consent text; null: not asked.';
comment on column public.feedback.visitor_id is 'The visitor''s id at the site.';
comment on column public.feedback.visitor_verified is 'Whether the site signed visitor_id.';
comment on column public.feedback.visitor_key_hash is
  'SHA-256 of the browser''s secret, by which visitors list their own items.';
comment on column public.feedback.spam_reason is 'Why it is spam; null: it is not.';
comment on column public.feedback.assignee_user_id is 'The assigned member; null: unassigned.';
comment on column public.feedback.deleted_at is
  'When it was moved to the trash; deleted permanently thirty days later. Null: not in the trash.';
comment on column public.feedback.merged_into is 'The item that this duplicate was merged into; null: not merged.';
comment on column public.feedback.first_response_at is 'When a member first replied to the visitor.';
comment on column public.feedback.location is 'inbox, archived, spam, trash or merged.';
comment on column public.feedback.media_kinds is 'Kinds of its attachments, each once.';
comment on column public.feedback.facets is
  'Facet tokens: one for each value that a filter can select. Generated, so that it always matches the row.';
create index feedback_visitor_key_idx on public.feedback
  (organization_id, project_id, visitor_key_hash, created_at desc)
  where visitor_key_hash is not null;
create index feedback_assignee_idx on public.feedback (organization_id, assignee_user_id, created_at desc, id desc)
  where assignee_user_id is not null;
create index feedback_merged_idx on public.feedback (organization_id, merged_into) where merged_into is not null;
create index feedback_trash_idx on public.feedback (deleted_at) where deleted_at is not null;
create index feedback_location_idx on public.feedback (organization_id, location, created_at desc, id desc);
-- Includes the project, which the policy compares to the deleted ones. Without it the planner reads the other index,
-- which contains the project, from end to end, instead of the first rows of this one.
create index feedback_location_filter_idx on public.feedback
  (organization_id, location, status, priority, type, created_at desc, id desc) include (project_id);
create index feedback_location_project_idx on public.feedback
  (organization_id, project_id, location, status, priority, type, created_at desc, id desc);
-- Untouched items: `updated_at = created_at`. The index contains only items that the team has worked on.
create index feedback_touched_idx on public.feedback (organization_id, location, updated_at desc, id desc)
  where updated_at <> created_at;
create index feedback_search_idx on public.feedback using gin (organization_id, facets, search);
-- For retention: ranges of pages instead of rows, so that ingest does not pay for it.
create index feedback_created_at_idx on public.feedback using brin (created_at) with (autosummarize = on);
create index feedback_visitor_idx on public.feedback (organization_id, visitor_id, created_at desc, id desc)
  where visitor_id is not null;
create index feedback_visitor_email_idx on public.feedback
  (organization_id, lower(visitor_email), created_at desc, id desc)
  where visitor_email is not null;

alter table public.feedback enable row level security;
alter table public.feedback force row level security;
grant select, update (
  status, closed_reason, priority, first_viewed_at, spam_reason, assignee_user_id, tags, archived_at, deleted_at,
  merged_into, first_response_at
) on public.feedback to authenticated;
grant select, insert, update, delete on public.feedback to service_role;

create table public.feedback_events (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  feedback_id uuid not null,
  actor_user_id uuid,
  field text not null,
  from_value text,
  to_value text,
  created_at timestamptz not null default now(),
  operation_id uuid,
  version integer,
  resolved_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
comment on table public.feedback_events is
  'History of items: who changed what, from, to. Written by trigger, never changed.';
comment on column public.feedback_events.actor_user_id is
  'Who changed it; null: the system. No foreign key: history outlives accounts.';
comment on column public.feedback_events.operation_id is
  'The bulk operation that it was a part of, for undo. Null: a single change.';
comment on column public.feedback_events.version is
  'The item''s version after this change: an item that still has it is unchanged since.';
comment on column public.feedback_events.resolved_at is
  'With a change of status: the item''s former resolved_at, which undo restores.';
create index feedback_events_feedback_idx on public.feedback_events (organization_id, feedback_id, created_at, id);
create index feedback_events_operation_idx on public.feedback_events (organization_id, operation_id, feedback_id)
  where operation_id is not null;

alter table public.feedback_events enable row level security;
alter table public.feedback_events force row level security;
grant select on public.feedback_events to authenticated;
grant select, insert on public.feedback_events to service_role;

-- Conversation --------------------------------------------------------------------------------------------------------

create table public.feedback_comments (
  organization_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  kind text not null check (kind in ('note', 'reply')),
  author_user_id uuid,
  text text not null,
  created_at timestamptz not null default now(),
  from_visitor boolean not null default false,
  solved boolean,
  mentions uuid[] not null default '{}',
  delivery text check (delivery in ('no_address', 'waiting', 'sent', 'failed')),
  email_id uuid,
  primary key (organization_id, id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade,
  constraint feedback_comments_text_check check (
    char_length(text) <= 10000 and (text <> '' or (from_visitor and solved is not null))),
  constraint feedback_comments_visitor_check check (
    not from_visitor or (kind = 'reply' and author_user_id is null and email_id is null))
);
comment on table public.feedback_comments is
  'Conversation about an item: internal notes, replies to the visitor, and the visitor''s answers.';
comment on column public.feedback_comments.id is 'Made by the sender, the same for every retry.';
comment on column public.feedback_comments.author_user_id is 'No foreign key: comments outlive accounts.';
comment on column public.feedback_comments.from_visitor is 'Whether the visitor wrote it; false: a member.';
comment on column public.feedback_comments.solved is 'With a visitor''s answer: whether the problem is solved.';
comment on column public.feedback_comments.mentions is
  'Members mentioned in a note. The text has <@id>, so that it shows each member''s present name.';
comment on column public.feedback_comments.delivery is
  'State of a reply''s email; no_address: the visitor left none. Null: not a reply.';
comment on column public.feedback_comments.email_id is
  'The reply''s email in the outbox. No foreign key: emails are kept for a month.';
create index feedback_comments_feedback_idx on public.feedback_comments (organization_id, feedback_id, created_at, id);
create index feedback_comments_email_idx on public.feedback_comments (email_id) where email_id is not null;

alter table public.feedback_comments enable row level security;
alter table public.feedback_comments force row level security;
grant select, insert on public.feedback_comments to authenticated;
grant select, insert, update, delete on public.feedback_comments to service_role;

-- Counts and words for the inbox --------------------------------------------------------------------------------------

create sequence app.feedback_count_changes;
-- Writers only add rows, so that none waits for another; a job folds them into the rows of `change_id` 0.
create table public.feedback_counts (
  organization_id uuid not null,
  project_id uuid not null,
  location text not null,
  facet text not null,
  change_id bigint not null,
  n bigint not null,
  primary key (organization_id, project_id, location, facet, change_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.feedback_counts is
  'Items by project, location and facet token (see feedback.facets): the sum of n. The empty token counts all items, '
  'T… a tag as written.';
comment on column public.feedback_counts.change_id is '0: folded; above: a change that is not folded yet.';
create index feedback_counts_change_idx on public.feedback_counts (change_id) where change_id > 0;

alter table public.feedback_counts enable row level security;
alter table public.feedback_counts force row level security;
grant select on public.feedback_counts to authenticated, service_role;

create table public.feedback_words (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  word text collate "C" not null check (char_length(word) between 3 and 40),
  primary key (organization_id, word)
);
comment on table public.feedback_words is
  'Words of an organisation''s items, letters only: a search word that is missing here may be mistyped.';
create index feedback_words_near_idx on public.feedback_words using gin (organization_id, word gin_trgm_ops);

alter table public.feedback_words enable row level security;
alter table public.feedback_words force row level security;
-- For the nightly sweep.
grant select on public.feedback_words to service_role;

-- Bulk operations, saved views, presence ------------------------------------------------------------------------------

create table public.feedback_operations (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  actor_user_id uuid not null,
  request_hash bytea not null check (octet_length(request_hash) = 32),
  change jsonb not null,
  item_ids uuid[] not null,
  state text not null default 'running' check (state in ('running', 'done', 'undoing', 'undone', 'failed')),
  processed integer not null default 0,
  changed integer not null default 0,
  undo_processed integer not null default 0,
  kept integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  check (processed between 0 and cardinality(item_ids)),
  check (undo_processed between 0 and processed)
);
comment on table public.feedback_operations is
  'Bulk operations: the requested change and its progress. Each step commits with the items that it changed, so that '
  'a crash loses none and repeats none. Kept for as long as undo is possible.';
comment on column public.feedback_operations.id is 'Made by the sender: that makes a retry safe.';
comment on column public.feedback_operations.actor_user_id is
  'Who started it; it runs with their rights. No foreign key: superadmins are no members.';
comment on column public.feedback_operations.request_hash is
  'SHA-256 of the request: tells a retry from another request.';
comment on column public.feedback_operations.item_ids is
  'The items found at the start, in the order in which every writer locks items.';
comment on column public.feedback_operations.processed is 'Progress: how many of item_ids are done.';
comment on column public.feedback_operations.undo_processed is 'Progress of undo: how many of those are done.';
comment on column public.feedback_operations.kept is
  'Items that undo left alone, because a member had changed them since.';
create index feedback_operations_created_idx on public.feedback_operations (created_at);

alter table public.feedback_operations enable row level security;
alter table public.feedback_operations force row level security;
grant select, insert, update (state, processed, changed, undo_processed, kept)
  on public.feedback_operations to authenticated;
grant select, update, delete on public.feedback_operations to service_role;

create table public.saved_views (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  owner_user_id uuid references auth.users (id) on delete set null,
  name text not null check (char_length(name) between 1 and 60),
  search text not null check (char_length(search) <= 2000),
  is_shared boolean not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
comment on table public.saved_views is 'Saved filters, search and sort order of the inbox.';
comment on column public.saved_views.id is 'Made by the sender: that makes a retry safe.';
comment on column public.saved_views.owner_user_id is 'Who saved it; null: a shared view of a deleted account.';
comment on column public.saved_views.search is 'The query string of the inbox''s URL.';
comment on column public.saved_views.is_shared is 'Whether all members see and change it; false: the owner alone.';
create index saved_views_owner_idx on public.saved_views (owner_user_id) where owner_user_id is not null;

alter table public.saved_views enable row level security;
alter table public.saved_views force row level security;
grant select, insert, update (name, search, is_shared), delete on public.saved_views to authenticated;
grant select, delete on public.saved_views to service_role;

-- Unlogged: browsers renew their rows every 20 s, so a crash costs little. In a table and not in memory, because two
-- people in one item may be connected to two processes.
create unlogged table public.presence (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null,
  page_id uuid not null,
  feedback_id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (organization_id, user_id, page_id)
) with (fillfactor = 50);
comment on table public.presence is
  'Which member has which item open. A row expires after 45 s. No foreign keys to item and member: each would cost a '
  'write, and a row outlives them by seconds only.';
comment on column public.presence.page_id is 'Made by the browser tab: a member may have several.';

alter table public.presence enable row level security;
alter table public.presence force row level security;
grant select, insert, update (feedback_id, seen_at), delete on public.presence to authenticated;
grant select, delete on public.presence to service_role;

-- Visitors ------------------------------------------------------------------------------------------------------------

create table public.visitors (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  key text not null check (char_length(key) between 1 and 254),
  visitor_id text,
  email text,
  name text,
  is_verified boolean not null default false,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  search text not null generated always as (
    ' ' || lower(key) || ' ' || lower(coalesce(email, '')) || ' ' || lower(coalesce(name, ''))) stored,
  primary key (organization_id, key)
);
comment on table public.visitors is
  'Identified people who sent feedback. Derived from feedback by a job, and deleted with it.';
comment on column public.visitors.key is 'The visitor''s id at the site; without one, the lower-case email address.';
comment on column public.visitors.email is 'Latest address.';
comment on column public.visitors.name is 'Latest name.';
comment on column public.visitors.is_verified is 'Whether the site signed visitor_id at least once.';
create index visitors_seen_idx on public.visitors (organization_id, last_seen_at desc, key desc);
create index visitors_search_idx on public.visitors using gin (organization_id, search gin_trgm_ops);

alter table public.visitors enable row level security;
alter table public.visitors force row level security;
grant select on public.visitors to authenticated;
grant select, insert, update, delete on public.visitors to service_role;

create table public.visitor_erasures (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  state text not null default 'running' check (state in ('running', 'done')),
  subject text check (char_length(subject) between 1 and 254),
  addresses text[],
  subject_hash bytea not null check (octet_length(subject_hash) = 32),
  requested_by uuid not null,
  total integer not null default 0 check (total >= 0),
  items integer not null default 0 check (items >= 0),
  files integer not null default 0 check (files >= 0),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id),
  check ((state = 'done') = (finished_at is not null)),
  check (state = 'running' or subject is null and addresses is null)
);
comment on table public.visitor_erasures is
  'Erasures of visitors: when, by whom, how much. Does not name the visitor once done.';
comment on column public.visitor_erasures.subject is 'Visitor to erase. Emptied when done.';
comment on column public.visitor_erasures.addresses is
  'The visitor''s addresses, found before the first item is deleted. Emptied when done.';
comment on column public.visitor_erasures.subject_hash is
  'SHA-256 of the organisation''s id and the subject: proves the erasure later, for a given subject.';
comment on column public.visitor_erasures.requested_by is 'No foreign key: the row outlives the account.';
comment on column public.visitor_erasures.total is 'Items found at the start.';

alter table public.visitor_erasures enable row level security;
alter table public.visitor_erasures force row level security;
grant select, insert on public.visitor_erasures to authenticated;
grant select, update on public.visitor_erasures to service_role;

-- Exports and imports -------------------------------------------------------------------------------------------------

create table public.exports (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  created_by uuid not null,
  format text not null check (format in ('csv', 'json', 'xlsx', 'zip')),
  selection jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'ready', 'failed')),
  attempts smallint not null default 0,
  count integer check (count >= 0),
  processed integer not null default 0,
  bytes bigint check (bytes >= 0),
  storage_key text unique check (storage_key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$'),
  note text check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (organization_id, id),
  check (state <> 'ready' or storage_key is not null and bytes is not null and count is not null)
);
comment on table public.exports is
  'Exported files. Deleted with their bytes after seven days; the audit log keeps a record.';
comment on column public.exports.id is 'Made by the sender, the same for every retry: that makes a retry safe.';
comment on column public.exports.created_by is
  'Who started it; items are read with their rights. No foreign key: the file outlives the account.';
comment on column public.exports.selection is 'Which items: the filters of the inbox.';
comment on column public.exports.attempts is 'How many times it was started.';
comment on column public.exports.storage_key is
  'Where the bytes are. Each attempt has its own key, so that an attempt that is wrongly taken for dead harms no '
  'other.';
comment on column public.exports.note is 'Why it failed, or what it lacks. Shown to the team.';
create index exports_expiry_idx on public.exports (expires_at);

alter table public.exports enable row level security;
alter table public.exports force row level security;
grant select, insert (organization_id, id, created_by, format, selection), delete on public.exports to authenticated;
grant select, insert, update, delete on public.exports to service_role;

create table public.imports (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  created_by uuid not null,
  name text not null check (char_length(name) <= 255),
  state text not null default 'waiting' check (state in ('waiting', 'uploaded', 'checking', 'checked', 'importing',
    'imported', 'undoing', 'undone', 'cancelled', 'failed')),
  storage_key text unique check (storage_key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$'),
  content_hash bytea check (octet_length(content_hash) = 32),
  layout jsonb,
  mapping jsonb,
  run_id uuid,
  total integer check (total >= 0),
  processed integer not null default 0,
  accepted integer not null default 0,
  refused integer not null default 0,
  attempts smallint not null default 0,
  note text check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  imported_at timestamptz,
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.imports is
  'Imports of files. An item''s id is made of the import''s id and its row, so that no row becomes two items. Deleted '
  'a week after an import that was not finished, a month after one that was.';
comment on column public.imports.id is 'Made by the sender, the same for every retry.';
comment on column public.imports.created_by is 'Who started it. No foreign key: the record outlives the account.';
comment on column public.imports.storage_key is 'Where the file is; null: not uploaded yet, or already imported.';
comment on column public.imports.content_hash is 'SHA-256 of the file: detects a second import of it.';
comment on column public.imports.layout is 'Encoding, delimiter, columns and first rows of the file.';
comment on column public.imports.mapping is 'The field that each column is mapped to.';
comment on column public.imports.run_id is 'Current step: writes of an earlier step''s job are refused.';
comment on column public.imports.total is 'Rows of the file; null: not counted yet.';
create index imports_project_idx on public.imports (organization_id, project_id);
create index imports_expiry_idx on public.imports (expires_at);

alter table public.imports enable row level security;
alter table public.imports force row level security;
grant select, insert (organization_id, id, project_id, created_by, name) on public.imports to authenticated;
grant select, insert, update, delete on public.imports to service_role;

create table public.import_problems (
  organization_id uuid not null,
  import_id uuid not null,
  row_number integer not null check (row_number > 0),
  reason text not null check (char_length(reason) <= 500),
  primary key (organization_id, import_id, row_number),
  foreign key (organization_id, import_id) references public.imports (organization_id, id) on delete cascade
);
comment on table public.import_problems is 'Rows that were left out, and why: the first few thousand.';
comment on column public.import_problems.row_number is 'Counted as in a spreadsheet.';

alter table public.import_problems enable row level security;
alter table public.import_problems force row level security;
grant select on public.import_problems to authenticated;
grant select, insert, update, delete on public.import_problems to service_role;
