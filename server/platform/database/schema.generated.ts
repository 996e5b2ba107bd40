// Generated from the migrated database by `npm run schema`. Do not edit.
import type { ColumnType } from 'kysely'

/** A column that the database fills when it is left out. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>
/** A column that the database computes. */
type Computed<T> = ColumnType<T, never, never>

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
/** Written as an object or as JSON text. An array must be text: the driver would take it for an SQL array. */
type Json = ColumnType<JsonValue, string | Record<string, unknown>, string | Record<string, unknown>>
type Timestamp = ColumnType<Date, Date | string, Date | string>

/** API keys. Each reaches one project. Revoked ones stay, because histories and comments name them. */
interface ApiKeys {
  organization_id: string
  id: Generated<string>
  project_id: string
  name: string
  /** The first characters of the key, by which people tell keys apart. */
  prefix: string
  /** SHA-256 of the key, which is shown once and stored nowhere. A key has 178 random bits, so a slow hash adds nothing. */
  hash: Buffer
  /** read: GET requests, and exports. write: all others. */
  scopes: string[]
  /** No foreign key: a key outlives the account. */
  created_by: string
  created_at: Generated<Timestamp>
  /** Chosen when it was created; null: never. */
  expires_at: Timestamp | null
  /** Written in batches, seconds late. Null: never used. */
  last_used_at: Timestamp | null
  /** Address that the latest call came from. */
  last_used_ip: string | null
  revoked_at: Timestamp | null
  /** The key that it was regenerated as; null: it was not. */
  replaced_by: string | null
  /** Until when it works beside its replacement. */
  overlap_until: Timestamp | null
}

/** Who changed what, where and from where: written from events (contract/audited-events.ts). Append only; removed by app.prune_audit_log alone, when older than the retention. No foreign keys: entries outlive their subjects, so they hold the names of the time. The nil organisation has the entries of the whole instance. */
interface AuditLog {
  organization_id: string
  id: Generated<string>
  /** The user or API key, by actor_kind; null: a visitor, or a job. */
  actor_user_id: string | null
  /** Name of the event. */
  action: string
  target_type: string | null
  /** Null: several, or none. */
  target_id: string | null
  created_at: Generated<Timestamp>
  /** The event that it is written from, which may be delivered twice. Null: older than events. */
  event_id: string | null
  actor_kind: 'user' | 'api_key' | 'integration' | 'superadmin' | 'visitor' | 'system'
  actor_name: string | null
  category: 'members' | 'security' | 'organization' | 'projects' | 'keys' | 'integrations' | 'data' | 'superadmin'
  target_name: string | null
  /** Facts that the change replaced. Never a text or address of a visitor, a secret or a token. */
  before: Json | null
  /** Facts as they are since; under the same rule. */
  after: Json | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  cause: string | null
  /** A superadmin did it as the actor; the actor's name names both. */
  impersonation_id: string | null
}

/** Uploaded profile pictures. A new picture gets a new id, so that its URL can be cached forever. */
interface Avatars {
  user_id: string
  id: string
  mime: 'image/webp' | 'image/png' | 'image/jpeg'
  bytes: Buffer
  created_at: Generated<Timestamp>
}

/** Pictures of posts. Anyone can read them; their bytes are in the storage. */
interface BlogPictures {
  id: string
  mime: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/avif' | 'image/gif'
  bytes: number
  /** Of the bytes: a picture that is uploaded again is the same picture. */
  sha256: Buffer
  storage_key: string
  /** The superadmin; the account may be deleted. */
  created_by: string | null
  created_at: Generated<Timestamp>
}

/** Saved versions of posts. Of the autosaves of one person, the latest in ten minutes is kept. */
interface BlogPostRevisions {
  id: string
  post_id: string
  /** Version of the post that this save made. */
  version: number
  /** Saved content: title, Markdown, slug, tags and the other fields. */
  content: Json
  is_autosave: Generated<boolean>
  saved_by: string | null
  /** Name of the superadmin then: the account may be deleted. */
  saved_name: string | null
  saved_at: Generated<Timestamp>
}

/** Posts of the blog, the same for all organisations. Written by superadmins. */
interface BlogPosts {
  id: string
  /** Rises by one with each change: a change of an older version is refused. */
  version: Generated<number>
  slug: string
  title: string
  summary: Generated<string>
  markdown: Generated<string>
  tags: Generated<string[]>
  author_name: Generated<string>
  /** For search engines instead of the title; empty: the title. */
  seo_title: Generated<string>
  /** For search engines instead of the summary; empty: the summary. */
  seo_description: Generated<string>
  cover_id: string | null
  /** Null: a draft. In the future: scheduled. Otherwise anyone can read it. */
  published_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** The superadmin; the account may be deleted. */
  updated_by: string | null
  /** Since when it is in the trash; null: it is not. No one can read a post in the trash. */
  deleted_at: Timestamp | null
}

/** Slugs under which posts could be read. They lead to the post, unless another post has the slug now. */
interface BlogRedirects {
  slug: string
  post_id: string
  created_at: Generated<Timestamp>
}

/** Messages to the operator of the instance by its contact form, kept for 400 days. */
interface ContactMessages {
  /** Chosen by the sender, so that a repeated request stores one message. */
  id: string
  topic: string
  name: string
  /** Where the sender says an answer reaches them; not confirmed. */
  email: string
  message: string
  /** The hidden field was filled in: likely a bot. Stored, and no email is sent. */
  is_spam: Generated<boolean>
  created_at: Generated<Timestamp>
  /** When a superadmin marked it as answered; null: not yet. */
  answered_at: Timestamp | null
  /** The superadmin; the account may be deleted. */
  answered_by: string | null
}

/** One event of one item for one integration, kept for 30 days. It goes with its item, because its body repeats what the visitor wrote. */
interface Deliveries {
  organization_id: string
  /** The same at every attempt: receivers recognise repetitions by it. */
  id: Generated<string>
  integration_id: string
  /** No foreign key: events are deleted sooner. Null: a test. */
  event_id: string | null
  event_name: string
  occurred_at: Generated<Timestamp>
  /** Null: the event is about an item that no longer exists, or about none. */
  feedback_id: string | null
  /** The item that the event is about, also when it no longer exists; of a test, the delivery's own id. */
  subject_id: string | null
  /** failed: given up after the last attempt, and can be retried by hand. dropped: what it was about no longer exists. */
  state: Generated<'waiting' | 'delivered' | 'failed' | 'dropped'>
  attempts: Generated<number>
  next_attempt_at: Generated<Timestamp | null>
  created_at: Generated<Timestamp>
  ended_at: Timestamp | null
  /** The body of every attempt, as the first one rendered it; null: none was made yet. */
  body: string | null
  /** How often the synchronisation of an issue was requested: one that is requested while it runs is run again. */
  requests: Generated<number>
}

/** Each attempt of a delivery, with what was sent and answered. */
interface DeliveryAttempts {
  organization_id: string
  delivery_id: string
  number: number
  created_at: Generated<Timestamp>
  duration_ms: number
  /** Method, host and headers that are no secret; the body is the delivery's. */
  request: string | null
  /** HTTP status; null: there was no answer. */
  status: number | null
  /** The beginning of the answer. */
  response: string | null
  /** Why it counts as failed, in a sentence; null: it arrived. */
  failure: string | null
}

/** Addresses that get no emails. Emails about the security of an account are still sent, unless emails to the address bounce. */
interface EmailSuppressions {
  id: Generated<string>
  address: string
  /** hard_bounce: a provider reported that the address does not exist. complaint: its reader reported an email as spam. manual: a superadmin added it. */
  reason: 'hard_bounce' | 'complaint' | 'manual'
  since: Generated<Timestamp>
}

/** Exported files. Deleted with their bytes after seven days; the audit log keeps a record. */
interface Exports {
  organization_id: string
  /** Made by the sender, the same for every retry: that makes a retry safe. */
  id: string
  /** Who started it; items are read with their rights. No foreign key: the file outlives the account. */
  created_by: string
  format: 'csv' | 'json' | 'xlsx' | 'zip'
  /** Which items: the filters of the inbox. */
  selection: Json
  state: Generated<'queued' | 'running' | 'ready' | 'failed'>
  /** How many times it was started. */
  attempts: Generated<number>
  count: number | null
  processed: Generated<number>
  bytes: number | null
  /** Where the bytes are. Each attempt has its own key, so that an attempt that is wrongly taken for dead harms no other. */
  storage_key: string | null
  /** Why it failed, or what it lacks. Shown to the team. */
  note: string | null
  created_at: Generated<Timestamp>
  expires_at: Generated<Timestamp>
  /** Whether app.export_subjects lists the export's visitors; false: written before that table existed. */
  lists_subjects: Generated<boolean>
  /** Whether created_by is an API key: its items are then read as the key, which reaches one project. */
  is_by_key: Generated<boolean>
}

/** Feedback items: one row per submission, numbered per project. */
interface Feedback {
  organization_id: string
  /** Made by the sender (UUIDv7), the same for every retry: that makes a retry safe. */
  id: string
  project_id: string
  /** Number within the project, never reused: #123. */
  number: number
  type: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  source: 'widget' | 'api' | 'link' | 'import' | 'manual' | 'test'
  status: Generated<'new' | 'open' | 'in_progress' | 'resolved' | 'closed'>
  closed_reason: 'wont_fix' | 'duplicate' | 'not_reproducible' | null
  priority: Generated<'none' | 'low' | 'medium' | 'high' | 'urgent'>
  /** May be empty if there is a rating, NPS score, answer or attachment. */
  message: string
  rating: number | null
  visitor_email: string | null
  visitor_name: string | null
  page_url: string
  page_title: string | null
  /** Browser and page, as the widget saw them. */
  context: Generated<Json>
  /** Metadata that the site attached. */
  metadata: Generated<Json>
  /** SHA-256 of the submission: tells a retry from another submission with the same id. */
  content_hash: Buffer
  /** Incremented by every change of the team; a change based on an older version is refused. */
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** When a member first opened it; null: unread. */
  first_viewed_at: Timestamp | null
  resolved_at: Timestamp | null
  /** Words of message, visitor and page, made by app.make_search; by trigger where the writer left it empty. */
  search: string
  /** How likely the visitor is to recommend, 0 to 10. */
  nps: number | null
  /** Answers to the project's own questions, by their ids. */
  fields: Generated<Json>
  /** Whether the visitor agreed to the consent text; null: not asked. */
  consent: boolean | null
  tags: Generated<string[]>
  /** The visitor's id at the site. */
  visitor_id: string | null
  /** Whether the site signed visitor_id. */
  visitor_verified: Generated<boolean>
  /** SHA-256 of the browser's secret, by which visitors list their own items. */
  visitor_key_hash: Buffer | null
  /** Why it is spam; null: it is not. */
  spam_reason: string | null
  /** The assigned member; null: unassigned. */
  assignee_user_id: string | null
  archived_at: Timestamp | null
  /** When it was moved to the trash; deleted permanently thirty days later. Null: not in the trash. */
  deleted_at: Timestamp | null
  /** The item that this duplicate was merged into; null: not merged. */
  merged_into: string | null
  /** When a member first replied to the visitor. */
  first_response_at: Timestamp | null
  /** Kinds of its attachments, each once. */
  media_kinds: Generated<string[]>
  /** Who wrote the latest public message after the item itself; null: no one. Kept by app.after_comment_insert. */
  last_reply_by: 'team' | 'visitor' | null
  /** When the visitor last wrote in the conversation; null: not since the item itself. Kept by app.after_comment_insert. */
  visitor_wrote_at: Timestamp | null
  /** When it comes back to the inbox: app.wake_feedback then empties this. Null: not snoozed. */
  snoozed_until: Timestamp | null
  /** inbox, snoozed, archived, spam, trash or merged. */
  location: Computed<string>
  /** Facet tokens: one for each value that a filter can select. Generated, so that it always matches the row. */
  facets: Computed<string>
  /** Whether the organisation must choose a plan to read it. The content of a locked item is in app.locked_feedback alone: nothing here contains a word of it (decision 023). */
  locked: Generated<boolean>
  /** When it became readable; null: it was from the beginning, or it is not. */
  unlocked_at: Timestamp | null
}

/** Files that an item announced. The bytes are in uploads under the same id, and may arrive before or after. */
interface FeedbackAttachments {
  organization_id: string
  /** Made by the sender (UUIDv7), like the item's. */
  id: string
  feedback_id: string
  kind: 'screenshot' | 'voice' | 'screen' | 'file' | 'replay'
  name: string | null
  /** Order within the item. */
  position: Generated<number>
  /** As the sender measured it; uploads.duration_ms is the server's. */
  duration_ms: number | null
  created_at: Generated<Timestamp>
  /** The picture that this one was drawn on; null: the visitor sent it. No foreign key: both are deleted with their item. */
  annotates: string | null
  /** The member who drew it. No foreign key: the picture outlives the account. */
  added_by: string | null
  /** What a screenshot lacks because it could be neither read nor drawn, so that no one takes a blank for what the visitor saw. */
  missing: Generated<string[]>
}

/** Conversation about an item: internal notes, replies to the visitor, and the visitor's answers. */
interface FeedbackComments {
  organization_id: string
  /** Made by the sender, the same for every retry. */
  id: string
  feedback_id: string
  kind: 'note' | 'reply'
  /** No foreign key: comments outlive accounts. */
  author_user_id: string | null
  text: string
  created_at: Generated<Timestamp>
  /** Whether the visitor wrote it; false: a member. */
  from_visitor: Generated<boolean>
  /** With a visitor's answer: whether the problem is solved. */
  solved: boolean | null
  /** Members mentioned in a note. The text has <@id>, so that it shows each member's present name. */
  mentions: Generated<string[]>
  /** State of a reply's email; no_address: the visitor left none. Null: not a reply. */
  delivery: 'no_address' | 'waiting' | 'sent' | 'failed' | null
  /** The reply's email in the outbox. No foreign key: emails are kept for a month. */
  email_id: string | null
  /** Of a note that was written in a tracker: its author there. */
  author_name: string | null
  /** The app that wrote it in the author's name; null: none. */
  agent_name: Generated<string | null>
}

/** Items by project, location and facet token (see feedback.facets): the sum of n. Resolved and closed items of the inbox are counted under the location done. The empty token counts all items, T… a tag as written. */
interface FeedbackCounts {
  organization_id: string
  project_id: string
  location: string
  facet: string
  /** 0: folded; above: a change that is not folded yet. */
  change_id: number
  n: number
}

/** Items per day by origin: the most frequent values, and the sum of all others under the empty value. */
interface FeedbackDayValues {
  organization_id: string
  scope_id: string
  dimension: 'page' | 'browser' | 'country'
  day: Timestamp
  value: string
  n: number
}

/** Items received on one day, counted without spam and trash. Recomputed from public.feedback when an item of the day changes. */
interface FeedbackDays {
  organization_id: string
  /** A project, or the organisation for all of its projects. No foreign key: recomputing the days of deleted items removes the sums. */
  scope_id: string
  /** Day of receipt in UTC, also for later changes. */
  day: Timestamp
  items: number
  types: Json
  sources: Json
  statuses: Json
  /** Items by rating: 1 to 5. */
  ratings: number[]
  /** Items by score: 0 to 10. */
  nps: number[]
  /** Items by the time until a member first opened them: under a minute, then four steps per doubling. Imported items are in none of the three histograms. */
  first_view: number[]
  /** The same until a member first replied to the visitor. */
  first_response: number[]
  /** The same until the item was resolved or closed. */
  resolution: number[]
  /** Unread items of the inbox. */
  inbox_unread: number
  /** Items of the inbox with status new. */
  inbox_new: number
  /** Unresolved items of the inbox, by priority. */
  inbox_priorities: Json
  /** The same by assignee. */
  inbox_assignees: Json
}

/** History of items: who changed what, from, to. Written by trigger, never changed. */
interface FeedbackEvents {
  organization_id: string
  id: Generated<string>
  feedback_id: string
  /** Who changed it; null: the system. No foreign key: history outlives accounts. */
  actor_user_id: string | null
  field: string
  from_value: string | null
  to_value: string | null
  created_at: Generated<Timestamp>
  /** The bulk operation that it was a part of, for undo. Null: a single change. */
  operation_id: string | null
  /** The item's version after this change: an item that still has it is unchanged since. */
  version: number | null
  /** With a change of status: the item's former resolved_at, which undo restores. */
  resolved_at: Timestamp | null
  /** The app that made the change in the actor's name; null: none. */
  agent_name: Generated<string | null>
}

/** Bulk operations: the requested change and its progress. Each step commits with the items that it changed, so that a crash loses none and repeats none. Kept for as long as undo is possible. */
interface FeedbackOperations {
  organization_id: string
  /** Made by the sender: that makes a retry safe. */
  id: string
  /** Who started it; it runs with their rights. No foreign key: superadmins are no members. */
  actor_user_id: string
  /** SHA-256 of the request: tells a retry from another request. */
  request_hash: Buffer
  change: Json
  /** The items found at the start, in the order in which every writer locks items. */
  item_ids: string[]
  state: Generated<'running' | 'done' | 'undoing' | 'undone' | 'failed'>
  /** Progress: how many of item_ids are done. */
  processed: Generated<number>
  changed: Generated<number>
  /** Progress of undo: how many of those are done. */
  undo_processed: Generated<number>
  /** Items that undo left alone, because a member had changed them since. */
  kept: Generated<number>
  created_at: Generated<Timestamp>
}

/** What members opened or marked since memberships.feedback_read_until. An item without a row is unread for a member if its visitor wrote after that time: new items cost no row. */
interface FeedbackReads {
  organization_id: string
  feedback_id: string
  /** No foreign key: it would cost a look-up for every item that is opened. app.on_member_gone deletes the rows. */
  user_id: string
  /** Time of the visitor's latest words that the member has seen; -infinity: marked as unread. */
  seen_at: Timestamp
  /** The bulk operation that wrote the row; undo finds its rows by it. */
  operation_id: string | null
  /** seen_at before that operation. */
  former_seen_at: Timestamp | null
}

/** Words of an organisation's items, letters only: a search word that is missing here may be mistyped. */
interface FeedbackWords {
  organization_id: string
  word: string
}

/** Quotas of files that refused a visitor's file. Whether there is room again is computed when it is read. */
interface FullQuotas {
  organization_id: string
  id: Generated<string>
  /** Null: the quota of the whole organisation. */
  project_id: string | null
  /** Size of the file that was refused last; 0: unknown. */
  needed_bytes: number
  /** When a file was refused last; noted at most once a minute. */
  refused_at: Generated<Timestamp>
  /** When owners were told last: at most once a day. */
  notified_at: Generated<Timestamp>
  /** When the emails about it were written. Before notified_at: they are still to be written. */
  mailed_at: Timestamp | null
}

/** GitHub Apps that an owner is about to connect. The row ends when the integration is connected, which keeps the credentials. */
interface GithubApps {
  organization_id: string
  /** The id that the integration will have: the App's webhook names it. */
  id: Generated<string>
  /** The owner who connects it. No foreign key: it ends by itself. */
  user_id: string
  /** The session in which the owner began: no other may bring the code. */
  session_id: string
  /** SHA-256 of what GitHub returns with the code; null: it was returned. */
  state_hash: Buffer | null
  /** GitHub's pages: https://github.com, or a GitHub Enterprise Server. */
  web_url: string
  /** The organisation on GitHub that is to own the App; null: the person. */
  account: string | null
  /** Null: GitHub has not created it yet. */
  app_name: string | null
  /** The App's page on GitHub. */
  page_url: string | null
  /** Id, private key and webhook secret of the App: encrypted, never returned. */
  secrets: string | null
  expires_at: Timestamp
}

/** Plans that superadmins gave without payment. One counts where Stripe has no subscription that gives access. */
interface GrantedPlans {
  organization_id: string
  plan_id: string
  /** When it ends; null: until it is revoked. */
  ends_at: Timestamp | null
  reason: string
  /** End of the trial that it interrupted, which continues if the plan is revoked before; null: none. */
  trial_ends_at: Timestamp | null
  /** The superadmin; the account may be deleted. */
  granted_by: string | null
  granted_at: Generated<Timestamp>
}

/** Rows that were left out, and why: the first few thousand. */
interface ImportProblems {
  organization_id: string
  import_id: string
  /** Counted as in a spreadsheet. */
  row_number: number
  reason: string
  /** Whether the row is left out; false: only the values that the reason names. */
  is_row_left_out: Generated<boolean>
}

/** Imports of files. An item's id is made of the import's id and its row, so that no row becomes two items. Deleted a week after an import that was not finished, a month after one that was. */
interface Imports {
  organization_id: string
  /** Made by the sender, the same for every retry. */
  id: string
  project_id: string
  /** Who started it. No foreign key: the record outlives the account. */
  created_by: string
  name: string
  state: Generated<'waiting' | 'uploaded' | 'checking' | 'checked' | 'importing' | 'imported' | 'undoing' | 'undone' | 'cancelled' | 'failed'>
  /** Where the file is; null: not uploaded yet, or already imported. */
  storage_key: string | null
  /** SHA-256 of the file: detects a second import of it. */
  content_hash: Buffer | null
  /** Encoding, delimiter, columns and first rows of the file. */
  layout: Json | null
  /** The field that each column is mapped to. */
  mapping: Json | null
  /** Current step: writes of an earlier step's job are refused. */
  run_id: string | null
  /** Rows of the file; null: not counted yet. */
  total: number | null
  processed: Generated<number>
  accepted: Generated<number>
  refused: Generated<number>
  attempts: Generated<number>
  note: string | null
  created_at: Generated<Timestamp>
  imported_at: Timestamp | null
  expires_at: Generated<Timestamp>
  /** Accepted rows that lose optional values, because these cannot be read. */
  incomplete: Generated<number>
}

/** The queue of each integration. One process works through it at a time, so that an integration that does not answer holds up none but its own deliveries. Apart from integrations, because it changes with every delivery. */
interface IntegrationQueues {
  organization_id: string
  integration_id: string
  /** When its next delivery is due; null: none waits. */
  due_at: Timestamp | null
  /** The process that works through it. */
  leased_by: string | null
  /** When another process may take it, because that one has died. */
  leased_until: Timestamp | null
  /** Failed attempts since the last delivery that arrived. */
  failures: Generated<number>
  /** When the first of those failed. */
  failing_since: Timestamp | null
  last_failure: string | null
  last_delivered_at: Timestamp | null
}

/** Connections to other services, to which events are delivered. */
interface Integrations {
  organization_id: string
  id: Generated<string>
  /** A name of the registry in server/features/integrations/types. */
  type: string
  name: string
  /** What the type's form asks for, without its secrets. */
  settings: Generated<Json>
  /** Secrets of the form, and what signs deliveries: encrypted, never returned. */
  secrets: string
  /** Names of the form's secret fields that have a value. */
  secret_names: Generated<string[]>
  /** Events that are delivered. */
  event_names: string[]
  /** The items whose events are delivered: a selection of contract/inbox.ts. */
  rules: Generated<Json>
  /** What it is connected to, in the service's own words: a channel, a repository. */
  account: string | null
  /** paused: by an owner. disabled: by Earshot, because the service refused for days, or permanently. */
  state: Generated<'active' | 'paused' | 'disabled'>
  /** Why it is disabled, in a sentence. */
  state_reason: string | null
  /** When its token expires; null: it doesn't, or no one knows. */
  credentials_end_at: Timestamp | null
  /** No foreign key: an integration outlives the account. */
  created_by: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** Whether its type links items to issues. */
  is_tracker: Generated<boolean>
  /** Issues that changed before have been asked for; null: none have. */
  polled_until: Timestamp | null
  /** When it was last asked for changed issues. */
  polled_at: Timestamp | null
  /** When it was disconnected: from then on it is hidden and sends nothing, while a job deletes what belongs to it. */
  removed_at: Timestamp | null
  /** Of a tracker: how items become issues and statuses stages, as in contract/issue-mapping.ts. */
  mapping: Generated<Json>
  /** Whether the tracker calls Earshot. refused: the token may not register webhooks. unreachable: APP_URL is an address of this machine or network. Null: not registered yet, or its type registers none. */
  hook_state: 'registered' | 'refused' | 'unreachable' | null
  /** The registered webhook, as its type finds it again. */
  hook_id: string | null
  /** The address that was registered: another one is registered again. */
  hook_url: string | null
  hook_registered_at: Timestamp | null
  /** When the tracker forgets the webhook; null: it does not. */
  hook_ends_at: Timestamp | null
  /** Why the webhook could not be registered, in a sentence. */
  hook_failure: string | null
  /** When owners were emailed that it is disabled; null: not since it was last disabled. */
  disabled_mailed_at: Timestamp | null
  /** The end of the token (credentials_end_at) that owners were last warned of: another token is warned of again. */
  warned_end_at: Timestamp | null
  /** How many days before that end: 30, 7 or 1. */
  warned_days: number | null
}

/** Invitations into an organisation, each for one address. Accepted and revoked ones stay as a record. */
interface Invitations {
  organization_id: string
  id: Generated<string>
  email: string
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** SHA-256 of the link's token. The token itself is only in the email. */
  token_hash: Buffer
  /** The owner who invited. No foreign key: an invitation outlives the account. */
  invited_by: string
  /** When the latest email was queued; inviting again sends another. */
  sent_at: Generated<Timestamp>
  expires_at: Generated<Timestamp>
  accepted_at: Timestamp | null
  accepted_by: string | null
  revoked_at: Timestamp | null
}

/** Which note of an item is which comment of its issue, so that none is copied twice. */
interface IssueComments {
  organization_id: string
  link_id: string
  /** The note of the item. No foreign key: a deleted note is not copied again. */
  comment_id: string
  remote_id: string
  /** Where it was written. */
  origin: 'item' | 'issue'
}

/** Issues in trackers that items are linked to: at most one of each integration for an item. */
interface IssueLinks {
  organization_id: string
  id: Generated<string>
  integration_id: string
  feedback_id: string
  /** By which the tracker finds the issue, also after it was moved; null: it is still being created. */
  issue_key: string | null
  /** The tracker's short name of the issue, such as acme/web#12. */
  label: string | null
  title: string | null
  url: string | null
  /** The issue's status in the tracker's words, as last read. */
  status_name: string | null
  /** The issue's status as last read, in stages that all trackers have. */
  stage: 'todo' | 'started' | 'done' | 'dropped' | null
  /** The stage that the issue's status counted as when both sides were last alike; null: not compared yet. */
  agreed_stage: 'todo' | 'started' | 'done' | 'dropped' | null
  /** The stage that the issue was last to be given, noted before it was: an issue in it has not been changed by others. */
  intended_stage: 'todo' | 'started' | 'done' | 'dropped' | null
  /** gone: the issue was deleted, or can't be reached any more. */
  state: Generated<'creating' | 'linked' | 'failed' | 'gone'>
  /** When the tracker was first asked to create the issue. Before it is asked again, the issue is looked for. */
  creating_since: Timestamp | null
  failure: string | null
  /** Null: a rule. No foreign key: a link outlives the account. */
  created_by: string | null
  created_at: Generated<Timestamp>
  synced_at: Timestamp | null
  /** The item's stage at that time. It may differ: a mapping can give two stages one status. Null: the issue was just created. */
  agreed_item_stage: 'todo' | 'started' | 'done' | 'dropped' | null
}

/** Items by month (UTC) of organisations that are billed, counted where they are stored. */
interface ItemMonths {
  organization_id: string
  month: Timestamp
  /** All that arrived, spam apart. */
  received: Generated<number>
  /** Those that use up the plan: readable ones that arrived outside of a trial. */
  counted: Generated<number>
}

/** When members last worked in an organisation. Apart from memberships, because only owners may read it. */
interface MemberActivity {
  organization_id: string
  user_id: string
  /** Written at most once in ten minutes. */
  last_active_at: Generated<Timestamp>
}

/** Members of organisations, with their roles. */
interface Memberships {
  organization_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member' | 'viewer'
  joined_at: Generated<Timestamp>
  /** Items whose visitor last wrote until then are read for this member, unless feedback_reads says otherwise. When the member joined; moved on by app.compact_feedback_reads. */
  feedback_read_until: Generated<Timestamp>
  /** When the member last switched to the organisation; null: never. At sign-in, the latest opens. */
  selected_at: Timestamp | null
  /** Name in lower case, or the address without one: lists of members are sorted by it. Kept in step with the profile. */
  listed_as: Generated<string>
}

/** Notification preferences of a member for a project. Null, or no row: as for all projects in notification_settings. */
interface NotificationPreferences {
  organization_id: string
  user_id: string
  project_id: string
  new_feedback_mail: 'off' | 'instant' | 'hourly' | 'daily' | null
  new_feedback_app: boolean | null
  assigned_mail: boolean | null
  assigned_app: boolean | null
  mentioned_mail: boolean | null
  mentioned_app: boolean | null
  visitor_replied_mail: boolean | null
  visitor_replied_app: boolean | null
  /** The app shows later feedback as new; null: feedback since the member joined. */
  seen_until: Timestamp | null
  /** Later feedback is still to be emailed; null: feedback since the member joined. */
  mailed_until: Timestamp | null
}

/** Settings for all emails to one member. No row: the defaults of the columns. */
interface NotificationSettings {
  organization_id: string
  user_id: string
  /** Time zone of the member's browser, e.g. Europe/Berlin. */
  time_zone: Generated<string>
  /** Kinds of email that the member unsubscribed from. Overrides the preferences per project. */
  muted_mails: Generated<string[]>
  /** Date of the last daily digest, in the member's time zone. */
  daily_digest_on: Timestamp | null
  /** Start of the current ten minutes of instant emails. */
  mails_since: Timestamp | null
  /** Instant emails within these ten minutes. */
  mails_sent: Generated<number>
  /** How new feedback is emailed. An email per item would flood a busy team, and none would leave a quiet one unaware: the default is one a day. These columns are for all projects; notification_preferences has the exceptions. */
  new_feedback_mail: Generated<'off' | 'instant' | 'hourly' | 'daily'>
  new_feedback_app: Generated<boolean>
  assigned_mail: Generated<boolean>
  assigned_app: Generated<boolean>
  mentioned_mail: Generated<boolean>
  mentioned_app: Generated<boolean>
  visitor_replied_mail: Generated<boolean>
  visitor_replied_app: Generated<boolean>
}

/** Notifications of one member. New feedback makes no rows: it concerns every member, and is read from the items. */
interface Notifications {
  organization_id: string
  id: Generated<string>
  user_id: string
  feedback_id: string
  kind: 'assigned' | 'mentioned' | 'visitor_replied'
  /** Who caused it; null: a visitor, or a deleted account. */
  actor_user_id: string | null
  /** How many items were assigned together; feedback_id is one of them. */
  item_count: Generated<number>
  in_app: boolean
  /** Whether its email is still to be sent. */
  mail_due: boolean
  created_at: Generated<Timestamp>
  read_at: Timestamp | null
  /** The event that caused it: one that is delivered twice notifies once. No foreign key: events are deleted sooner. Null: older than events. */
  event_id: string | null
}

/** Connected apps: what a member lets an app do in one organisation, in their name. Ends with the membership. */
interface OauthGrants {
  organization_id: string
  id: Generated<string>
  user_id: string
  client_id: string
  /** As the app called itself then. */
  client_name: string
  /** Where the code was sent: a host, or the scheme of an app on the device. */
  redirect_host: string
  /** read: tools that read. write: tools that change something. */
  scopes: string[]
  created_at: Generated<Timestamp>
  /** Of its latest code or refresh token. */
  expires_at: Timestamp
  /** Some minutes late; null: never used. */
  last_used_at: Timestamp | null
  /** Revoked ones are kept for 30 days, so that their tokens are known to be revoked. */
  revoked_at: Timestamp | null
}

/** Uploaded logos. A new logo gets a new id, so that its URL can be cached forever. */
interface OrganizationLogos {
  organization_id: string
  id: string
  mime: 'image/webp' | 'image/png' | 'image/jpeg'
  bytes: Buffer
  created_at: Generated<Timestamp>
}

/** A customer: owns projects, has members, pays one subscription. */
interface Organizations {
  id: Generated<string>
  name: string
  /** The name as a part of a URL. Unique in the instance. */
  slug: string
  /** End of the trial; null: no trial. */
  trial_ends_at: Timestamp | null
  /** self_hosted: no trial and no limits. trialing: no limits until trial_ends_at. active, past_due: the limits of the plan. Otherwise new feedback is locked. Written by one function of the billing feature. */
  subscription_status: Generated<'trialing' | 'active' | 'past_due' | 'canceled' | 'expired' | 'self_hosted'>
  /** The plan; null: none, or one without limits. */
  subscription_plan_id: string | null
  created_at: Generated<Timestamp>
  /** Whether emails to members quote visitors' messages. False: they only link to the item. */
  mails_hold_words: Generated<boolean>
  /** Who created it; null: older than this column. No foreign key: an organisation outlives the account. */
  created_by: string | null
  /** Since when it is closed for its members, because an owner deleted it; null: open. */
  closed_at: Timestamp | null
  /** The owner who deleted it. No foreign key, as for created_by. */
  closed_by: string | null
  /** When a closed organisation is removed with everything in it. Until then an owner can restore it. */
  delete_after: Timestamp | null
  /** Since when a superadmin has suspended it; null: it is not suspended. The reason is in app.organization_suspensions. */
  suspended_at: Timestamp | null
}

/** Finalised invoices at Stripe and what was paid of them, mirrored. */
interface Payments {
  organization_id: string
  /** Stripe's id of the invoice. */
  id: string
  number: string | null
  subscription_id: string | null
  /** Stripe's status of the invoice: open, paid, void or uncollectible. */
  status: string
  /** Why there is an invoice: Stripe's billing_reason. */
  reason: string | null
  /** Null: the invoice has no line of a plan. */
  plan_id: string | null
  interval: string | null
  coupon: string | null
  total_cents: number
  tax_cents: number
  due_cents: number
  paid_cents: number
  currency: string
  attempts: Generated<number>
  /** Why the latest attempt to pay failed; null: it did not, or none was made. */
  error: string | null
  next_attempt_at: Timestamp | null
  /** Stripe's page of the invoice, where it can be paid. */
  page_url: string | null
  pdf_url: string | null
  created_at: Timestamp
  paid_at: Timestamp | null
  /** Beginning of the time that the line of the plan pays for; null: no such line. */
  period_start: Timestamp | null
  /** End of that time. */
  period_end: Timestamp | null
  /** What the plan costs in each interval after this invoice's discounts, without tax and prorations; null: no such line. */
  recurring_cents: number | null
}

/** Warnings about limits and trials that owners were sent: each once. */
interface PlanWarnings {
  organization_id: string
  id: Generated<string>
  kind: 'items' | 'projects' | 'members' | 'trial_expiring' | 'trial_ended'
  /** Of a limit: 80, 90 or 100 percent used. Of a trial: 7, 3 or 1 days left; 0: it has ended. */
  level: number
  /** The month for items, the plan for projects and members, the end of the trial for trials: in another, owners are warned again. */
  period: string
  used: number | null
  max: number | null
  created_at: Generated<Timestamp>
  /** When the emails about it were written; null: still to be written. */
  mailed_at: Timestamp | null
}

/** What organisations subscribe to, the same for all. Written by superadmins. A plan in use can be retired, not deleted. */
interface Plans {
  id: Generated<string>
  /** Names the plan in code, addresses and payments. Never changes. */
  key: string
  name: string
  for_whom: Generated<string>
  /** Price of a month, in cents of a US dollar. */
  monthly_cents: number
  /** Price of a year, in cents of a US dollar. */
  yearly_cents: number
  /** Projects that are not archived; null: unlimited. */
  max_projects: number | null
  /** Members and open invitations, viewers apart; null: unlimited. */
  max_members: number | null
  /** Items received in a month (UTC) that the team can read; null: unlimited. */
  max_items_per_month: number | null
  /** Order on the page of plans, the lowest first. */
  position: Generated<number>
  stripe_product_id: string | null
  stripe_monthly_price_id: string | null
  stripe_yearly_price_id: string | null
  /** Since when no one can choose it; null: it is offered. Organisations on it keep it. */
  retired_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

/** Which member has which item open. A row expires after 45 s. No foreign keys to item and member: each would cost a write, and a row outlives them by seconds only. */
interface Presence {
  organization_id: string
  user_id: string
  /** Made by the browser tab: a member may have several. */
  page_id: string
  feedback_id: string
  seen_at: Generated<Timestamp>
}

/** Names, addresses and pictures that members may see. A copy of auth.users kept by trigger: no role of the API may read that table. */
interface Profiles {
  user_id: string
  full_name: string | null
  email: string
  avatar_url: string | null
}

/** Last number and count of items, per project. Apart from projects, so that ingest locks this row alone; half-filled pages keep its updates in place. */
interface ProjectCounters {
  organization_id: string
  project_id: string
  /** Number of the newest item. Numbers are never reused. */
  last_number: Generated<number>
  feedback_count: Generated<number>
}

/** A website that an organisation collects feedback for. */
interface Projects {
  organization_id: string
  id: Generated<string>
  name: string
  /** Host name of the website, lower case, punycode. Subdomains belong to it. */
  domain: string
  created_at: Generated<Timestamp>
  /** Additional domains on which the widget works, with their subdomains; normalised like domain. */
  extra_origins: Generated<string[]>
  /** When it was archived: it accepts no new feedback and keeps its items. Null: active. */
  archived_at: Timestamp | null
  /** Every night older feedback is deleted permanently. Null: feedback is kept forever. */
  retention_days: number | null
  /** When it was deleted: it is hidden at once, its name and domain are erased, and a job removes its rows and files. */
  deleted_at: Timestamp | null
  /** Whether visitors get an email when their feedback is resolved. */
  emails_on_resolve: Generated<boolean>
}

/** Refunds at Stripe, mirrored. */
interface Refunds {
  organization_id: string
  id: string
  /** Null: the charge belongs to no invoice. */
  payment_id: string | null
  status: string
  reason: string | null
  cents: number
  currency: string
  created_at: Timestamp
}

/** Replies that a team writes often, with placeholders. */
interface ReplyTemplates {
  organization_id: string
  /** Made by the sender: that makes a retry safe. */
  id: string
  name: string
  /** As typed. The browser fills in placeholders such as {{visitor.name}} when the template is inserted. */
  text: string
  created_at: Generated<Timestamp>
}

/** Items whose visitor was emailed that they are resolved: once, however often they are reopened and resolved again. Apart from feedback, because it is no change of the item. */
interface ResolutionEmails {
  organization_id: string
  feedback_id: string
  queued_at: Generated<Timestamp>
}

/** When the monthly recurring revenue of an organisation changed. Derived from its payments whenever the mirror of Stripe is written; rows in the future are what is known by now. */
interface RevenueChanges {
  organization_id: string
  at: Timestamp
  before_cents: number
  /** Monthly recurring revenue from then on, in cents of a US dollar. */
  after_cents: number
}

/** Saved filters, search and sort order of the inbox. */
interface SavedViews {
  organization_id: string
  /** Made by the sender: that makes a retry safe. */
  id: string
  /** Who saved it; null: a shared view of a deleted account. */
  owner_user_id: string | null
  name: string
  /** The query string of the inbox's URL. */
  search: string
  /** Whether all members see and change it; false: the owner alone. */
  is_shared: boolean
  created_at: Generated<Timestamp>
}

/** The Stripe customer of an organisation: one, shared by its owners. */
interface StripeCustomers {
  organization_id: string
  customer_id: string
  /** Number of the latest read of Stripe, taken before it: an older read never overwrites a newer one. */
  reads: Generated<number>
  /** Number of the read that the mirror shows. */
  saved_read: Generated<number>
  /** When the mirror was last made equal to Stripe; null: never. */
  converged_at: Timestamp | null
  created_at: Generated<Timestamp>
}

/** Events that Stripe sent, each once. Kept for 90 days. */
interface StripeEvents {
  id: string
  type: string
  customer_id: string | null
  /** converging: the mirror of the customer's organisation is made equal to Stripe. unknown_customer: no organisation has the customer. unknown_type: of no concern to us. foreign: of another account or mode. */
  outcome: 'converging' | 'unknown_customer' | 'unknown_type' | 'foreign'
  created_at: Timestamp
  received_at: Generated<Timestamp>
}

/** Reports of the nightly comparison of the mirror with Stripe. */
interface StripeReconciliations {
  id: Generated<string>
  started_at: Generated<Timestamp>
  ended_at: Timestamp | null
  organizations: Generated<number>
  /** Organisations whose mirror was not equal to Stripe. */
  differences: Generated<number>
  /** Organisations that could not be compared. */
  failures: Generated<number>
}

/** Subscriptions at Stripe, mirrored. Only Stripe's answers are written here. */
interface Subscriptions {
  organization_id: string
  /** Stripe's id. */
  id: string
  /** Stripe's status. */
  status: string
  /** Null: the product is none of our plans. */
  plan_id: string | null
  price_id: string
  interval: string
  /** Price of an interval before discounts and tax. */
  cents: number
  currency: string
  coupon: string | null
  period_start: Timestamp | null
  period_end: Timestamp | null
  trial_end: Timestamp | null
  /** When it will end, as the customer asked; null: it renews. */
  cancel_at: Timestamp | null
  /** What the customer gave as reason, or Stripe's. */
  cancel_reason: string | null
  ended_at: Timestamp | null
  created_at: Timestamp
}

/** Calls of trackers that were received, kept for a week, so that a repeated one is recognised. */
interface TrackerHooks {
  organization_id: string
  integration_id: string
  hook_id: string
  received_at: Generated<Timestamp>
}

/** Uploaded files: progress, storage key, detected content. A row that no item claims within a day is deleted. */
interface Uploads {
  organization_id: string
  /** Made by the sender. The item that announces it in feedback_attachments claims it. */
  id: string
  project_id: string
  /** refused: the content did not match the declared kind, and was deleted. */
  state: Generated<'receiving' | 'processing' | 'ready' | 'refused'>
  kind: 'screenshot' | 'voice' | 'screen' | 'file' | 'replay'
  name: string | null
  /** As the sender declared it; not trusted. */
  declared_mime: string | null
  /** Declared length of the file; null: the sender does not know it yet. */
  declared_bytes: number | null
  /** Detected from the content; null: not examined yet. */
  mime: string | null
  /** Bytes received, as of the last request. */
  bytes: Generated<number>
  /** Where the bytes are. Made by the server, never reused. */
  storage_key: string
  /** Converted form that every browser plays; null: none. */
  playback_key: string | null
  poster_key: string | null
  /** Loudness over the length of the sound, 0 to 100. */
  waveform: number[] | null
  width: number | null
  height: number | null
  duration_ms: number | null
  /** Why it was refused, or could not be converted. Shown to the team. */
  note: string | null
  /** Set by the sweep when a day-old upload belongs to an item, so that it is not examined again. */
  is_claimed: Generated<boolean>
  created_at: Generated<Timestamp>
  completed_at: Timestamp | null
  /** Bytes of the converted form and the poster. They count towards the quota. */
  derived_bytes: Generated<number>
}

/** Erasures of visitors: when, by whom, how much. Does not name the visitor once done. */
interface VisitorErasures {
  organization_id: string
  id: string
  state: Generated<'running' | 'done'>
  /** Visitor to erase. Emptied when done. */
  subject: string | null
  /** SHA-256 of the organisation's id and the subject: proves the erasure later, for a given subject. */
  subject_hash: Buffer
  /** Member or, for an erasure of one project, API key. No foreign key: the row outlives both. */
  requested_by: string
  /** Items found at the start. */
  total: Generated<number>
  items: Generated<number>
  files: Generated<number>
  created_at: Generated<Timestamp>
  finished_at: Timestamp | null
  /** Keys of the visitor and of the parts, found before the first item is deleted. Emptied when done. */
  keys: string[] | null
  /** The only project whose items it erases; null: all. No foreign key: the row outlives the project. */
  project_id: string | null
}

/** Visitors that are part of another. Nothing is rewritten: lists, filters, exports and erasures follow these rows. */
interface VisitorJoins {
  organization_id: string
  /** Names the join in events, which never name a visitor. */
  id: Generated<string>
  /** Key of the visitor that is part of another; as in visitors.key. */
  part_key: string
  /** The visitor that it was merged into. Undoing takes it out of there. */
  into_key: string
  /** The visitor under whom all parts are shown. */
  root_key: string
  /** verified: the mailbox of the address answered a conversation of the signed id. member: merged by hand. */
  cause: 'verified' | 'member'
  /** Member who merged them. No foreign key: the row outlives the account. */
  joined_by: string | null
  joined_at: Generated<Timestamp>
  /** When a member undid it; null: it holds. The row stays, so that the two are not joined again by themselves. */
  separated_at: Timestamp | null
}

/** Identified people who sent feedback. Derived from feedback by a job, and deleted with it. */
interface Visitors {
  organization_id: string
  /** The visitor's id at the site; without one, the lower-case email address. */
  key: string
  visitor_id: string | null
  /** Latest address. */
  email: string | null
  /** Latest name. */
  name: string | null
  /** Whether the site signed visitor_id at least once. */
  is_verified: Generated<boolean>
  first_seen_at: Timestamp
  last_seen_at: Timestamp
  search: Computed<string>
  /** Items of the visitor and of its parts, in any location. Counted by a job, of each the newest 1,000; 1,000 means that many or more. */
  items: Generated<number>
  /** Of these, the ones in the inbox that are neither resolved nor closed. */
  open_items: Generated<number>
  /** Of the open ones, those that wait for an answer of the team. */
  unanswered_items: Generated<number>
  /** Rating of the newest item that has one. */
  last_rating: number | null
}

/** Use of the widget, as sums per hour: a billion loads cost rows per project and hour, not per load. */
interface WidgetCounters {
  organization_id: string
  project_id: string
  hour: Timestamp
  event: 'loaded' | 'opened' | 'closed' | 'submitted'
  n: number
}

/** Sums of public.widget_counters for past days in UTC. The hours of today are read from there. */
interface WidgetDays {
  organization_id: string
  project_id: string
  day: Timestamp
  loaded: number
  opened: number
  submitted: number
}

/** Formerly published settings, as a stack: publishing pushes the old ones, undoing pops them. */
interface WidgetVersions {
  organization_id: string
  project_id: string
  id: Generated<string>
  settings: Json
  published_at: Timestamp | null
  published_by: string | null
  replaced_at: Generated<Timestamp>
}

/** Key and settings of a project's widget. */
interface Widgets {
  organization_id: string
  id: Generated<string>
  project_id: string
  /** Public key in the snippet's URL. Not a secret. */
  key: string
  /** The published settings. A missing one has its default. */
  settings: Generated<Json>
  /** When a page last loaded the widget, to the minute; null: never. */
  last_loaded_at: Timestamp | null
  created_at: Generated<Timestamp>
  /** Unpublished settings, all of them; null: no draft. */
  draft: Json | null
  /** Secret of the draft's preview link; a new one with each change. */
  draft_token: string | null
  published_at: Timestamp | null
  /** No foreign key: the row outlives the account. */
  published_by: string | null
  /** Number of the secret, derived from the instance's, that signs the ids of this project's visitors. Rotating the secret adds one. */
  identity_generation: Generated<number>
}

/** Consumers who withdrew from the contract of a subscription. */
interface Withdrawals {
  organization_id: string
  /** Stripe's id. */
  subscription_id: string
  plan_name: string
  /** Who declared it, as they typed it. */
  name: string
  /** Where the receipt is sent. */
  email: string
  requested_at: Generated<Timestamp>
  /** When the subscription had ended, its payments were refunded and the receipt was written; null: not yet. */
  completed_at: Timestamp | null
}

/** What superadmins list of accounts. A copy of auth.users kept by trigger, without deleted accounts. */
interface AppAccounts {
  user_id: string
  /** Name and address in lower case. */
  search: string
  created_at: Timestamp
  confirmed_at: Timestamp | null
  banned_until: Timestamp | null
}

/** Of the organisations that signed up on a day: how many took each step until now. */
interface AppActivationDays {
  registered_on: Timestamp
  registered: number
  verified: number
  project: number
  installed: number
  item: number
  engaged: number
}

/** Which steps of the activation funnel an organisation has taken. Derived from app.usage_days. */
interface AppActivations {
  organization_id: string
  registered_on: Timestamp
  /** An owner has a verified address. */
  is_verified: Generated<boolean>
  has_project: Generated<boolean>
  is_installed: Generated<boolean>
  has_item: Generated<boolean>
  /** A member replied to a visitor, or a second member joined. */
  is_engaged: Generated<boolean>
}

/** How many organisations were active in a day, a week from Monday or a month. Derived from app.usage_days. */
interface AppActiveOrganizations {
  step: 'day' | 'week' | 'month'
  starts_on: Timestamp
  /** Monday of the week in which they signed up. */
  cohort: Timestamp
  n: number
}

/** Lines of the log, scrubbed before they come here. Partitioned by quarters of a day, so that old ones are dropped whole. */
interface AppAppLogs {
  /** In the order in which lines were stored: a reader that has seen a number has seen all smaller ones. See app.store_log_lines. */
  id: Generated<number>
  /** When the line was written. */
  at: Timestamp
  /** 10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
  level: number
  /** Host and process id, joined by a colon. */
  process: string
  request_id: string | null
  message: string
  /** All other fields as JSON. Text: jsonb refuses the character NUL and halves of surrogate pairs, which a line may name. */
  fields: string
  /** Hashes of the words of message and fields, of the levels up to its own, and of the process. See server/features/logs/tokens.ts. */
  tokens: number[]
}

/** Backups that were made, and drills that restored one into a scratch database. Kept for a year. */
interface AppBackupRuns {
  id: Generated<string>
  kind: 'backup' | 'drill'
  /** False: made by the command. */
  is_scheduled: boolean
  started_at: Timestamp
  finished_at: Generated<Timestamp>
  /** Path or address of the archive; null: there is none. */
  location: string | null
  /** Size of the archive. */
  bytes: number | null
  row_count: number | null
  file_count: number | null
  /** Why it failed; null: it succeeded. */
  problem: string | null
}

/** Attempts to send an email that have ended. */
interface AppEmailAttempts {
  /** Of app.emails. A trigger deletes attempts with their email: most emails have no organisation, which a foreign key needs. */
  email_id: string
  number: number
  at: Generated<Timestamp>
  /** What the mail server answered, without addresses, or why there was no answer; null: it accepted the email. */
  answer: string | null
}

/** When an email of one kind was last requested for an address. Recorded for addresses without an account too, so that the answer does not reveal whether there is one. */
interface AppEmailPauses {
  kind: string
  /** SHA-256 of the lower-case address: addresses of strangers are not stored. */
  address_hash: Buffer
  asked_at: Timestamp
}

/** Saved versions of the words of emails. */
interface AppEmailTemplateRevisions {
  id: string
  template_id: string
  /** Version of the template that this save made. */
  version: number
  /** Words by field; null: reset to the default. */
  words: Json | null
  saved_by: string | null
  /** Name of the superadmin then: the account may be deleted. */
  saved_name: string | null
  saved_at: Generated<Timestamp>
}

/** Templates of emails whose words superadmins changed. Templates themselves, with their default words, are code. */
interface AppEmailTemplates {
  /** Kind of email; with a dot and a variant where the words of a kind differ. */
  id: string
  /** Rises by one with each change: a change of an older version is refused. */
  version: number
  /** Words by field; null: reset to the default. */
  words: Json | null
  /** Default words when these were saved: a newer Earshot may have others. */
  default_words: Json | null
  /** The superadmin; the account may be deleted. */
  updated_by: string | null
  /** Name of the superadmin then. */
  updated_name: string | null
  updated_at: Generated<Timestamp>
}

/** Emails to send and emails sent. */
interface AppEmails {
  id: string
  /** Kind of email, e.g. confirm_sign_up. */
  kind: string
  to_address: string
  subject: string
  /** Emptied once the email is sent, and 14 days after it has failed: it may contain a sign-in link. No screen shows it. */
  html: string
  /** The same email without markup. Emptied with html. */
  text: string
  created_at: Generated<Timestamp>
  /** When the mail server accepted it. */
  sent_at: Timestamp | null
  /** When it was given up: the mail server refused the address, three days had passed, or the address is suppressed. */
  failed_at: Timestamp | null
  attempts: Generated<number>
  /** Why the last attempt failed, without addresses. */
  last_error: string | null
  /** Name of the sender; null: the instance's. */
  sender_name: string | null
  /** Emails of the same thread, oldest first: ids of emails, or of their item. Becomes the References header. */
  refers_to: Generated<string[]>
  organization_id: string | null
  /** The item that it is about: deleted with it. Null: about none. */
  feedback_id: string | null
  /** One-click unsubscribe link (RFC 8058); null: the recipient asked for this email. */
  unsubscribe_url: string | null
  /** Where answers go, instead of to the sender; null: to the sender. */
  reply_to: string | null
  /** When a superadmin last asked to send it again: the three days begin again. */
  retried_at: Timestamp | null
  /** When a mail provider reported that it could not be delivered. */
  bounced_at: Timestamp | null
  /** When it was not sent because its address is suppressed; failed_at is set too. */
  suppressed_at: Timestamp | null
}

/** The outbox of domain events: one row per transaction, organisation and name, kept for 30 days. Names and payloads stand in contract/events.ts. No foreign keys: an event outlives what it names, and a key to organizations would make all ingest of one organisation share a row lock. */
interface AppEvents {
  organization_id: string
  /** The same when an event is delivered twice. */
  id: Generated<string>
  name: string
  /** The items, members or projects that the event is about. */
  ids: string[]
  /** By name, see contract/events.ts. Holds no text and no address of a visitor. */
  payload: Generated<Json>
  /** Who caused it, by a request or by a job that works for them: a user, or an API key. Null: a visitor, or a job. */
  actor_user_id: string | null
  /** X-Request-Id of the request that caused it; null: a job, or a batch of several requests. */
  request_id: string | null
  occurred_at: Generated<Timestamp>
  /** Events of one transaction are announced together. Compared together with occurred_at: a restored database starts counting again. */
  transaction_id: Generated<string>
  /** When immediate subscribers hear of it: at commit; when it is dispatched, because a NOTIFY takes a lock that makes the commits of all batches queue; or never, because the writer sends one live message at its end. */
  announced: 'commit' | 'dispatch' | 'never'
  /** When a job was queued for each of its subscribers; null: not yet. */
  dispatched_at: Timestamp | null
  /** superadmin: a superadmin in an organisation that is not theirs. system: a job that works for no one. */
  actor_kind: Generated<'user' | 'api_key' | 'integration' | 'superadmin' | 'visitor' | 'system'>
  /** Name of the user then: accounts are deleted before their events. */
  actor_name: string | null
  /** Address of the user's request, after the rules for trusted proxies. Never a visitor's. */
  ip: string | null
  /** Browser or program of that request, as it describes itself. */
  user_agent: string | null
  /** The job that recorded it; null: a request. */
  cause: string | null
  /** A superadmin caused it as the actor, or looked at the organisation as a user. */
  impersonation_id: string | null
}

/** Visitors whose items an export contains, a part of the list per row. Deleted with the export. */
interface AppExportSubjects {
  organization_id: string
  id: Generated<string>
  export_id: string
  /** First 64 bits of SHA-256 of the organisation's id and a visitor's id or address: 8 bytes per visitor, and no name. */
  subjects: number[]
}

/** Days whose sums have to be recomputed. Rows are only added and deleted, so that no two writers of items wait for each other. */
interface AppFeedbackDayMarks {
  /** No foreign key: deleting an organisation marks its days too. */
  organization_id: string
  id: Generated<string>
  day: Timestamp
  /** False: only the team's work changed, so that pages, browsers and countries are not counted again. */
  is_whole: boolean
}

/** Requests with an Idempotency-Key, kept for 24 hours. By project, so that a retry with a regenerated API key counts as one. No foreign key: a row outlives its project by a day at most. */
interface AppIdempotentRequests {
  organization_id: string
  project_id: string
  /** SHA-256 of operation and idempotency key. */
  key_hash: Buffer
  /** SHA-256 of address and body: tells a retry from another request. */
  request_hash: Buffer
  started_at: Generated<Timestamp>
  /** Of the answer; null: still running, or its process died. */
  status: number | null
  /** Of the answer, as JSON. Receipts and comments; no text of a visitor. */
  body: string | null
}

/** Superadmins who use the product as a user. An access token names a row, and is good as long as the row, the superadmin's right and the superadmin's session are. No foreign keys: rows outlive accounts, as entries of the audit log do. */
interface AppImpersonations {
  id: string
  superadmin_id: string
  superadmin_session_id: string
  user_id: string
  reason: string
  /** read_only: nothing can be changed. changes: what the user may change, less their account. */
  mode: 'read_only' | 'changes'
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  /** Set by an act, a trigger or the job of each minute. Null does not mean that the token still works: app.get_impersonated_actor says so. */
  ended_at: Timestamp | null
  /** ended: by a superadmin. superadmin_lost_right: no longer superadmin, banned or deleted. user_unusable: banned, unconfirmed or deleted. */
  end_reason: 'ended' | 'expired' | 'superadmin_lost_right' | 'superadmin_signed_out' | 'user_became_superadmin' | 'user_unusable' | null
}

/** Sums of app.usage_days over all organisations: reading them costs the same however many there are. */
interface AppInstanceDays {
  day: Timestamp
  organizations: number
  members: number
  projects: number
  installs: number
  items: number
  replies: number
  exports: number
  integrations: number
  loads: number
  opens: number
  submissions: number
}

/** What one process measured of the whole instance in a minute. Kept for 14 days. */
interface AppInstanceMinutes {
  minute: Timestamp
  database_bytes: number
  /** Of max_connections. */
  connections_percent: number
  /** Queries that had run for longer than a second. */
  slow_queries: number
  queue_waiting: number
  /** For how long the oldest due job has waited. */
  queue_oldest_seconds: number
  jobs_failed: number
  emails_waiting: number
  /** Given up in the 24 hours before. */
  emails_failed: number
  /** Disabled because the service refused. */
  integrations_failing: number
  workers: number
  /** For how long the instance had been read-only; 0: it takes writes. */
  read_only_seconds: Generated<number>
}

/** Configuration that triggers need. One row, written at every start. */
interface AppInstanceSettings {
  only_row: Generated<boolean>
  /** Whether a new organisation starts a trial. Without billing it is self_hosted: no limits. */
  billing_enabled: Generated<boolean>
  /** Lower-case addresses that become superadmins when confirmed. */
  superadmin_emails: Generated<string[]>
  /** Whether the first confirmed user has become a superadmin. Happens once: when that person leaves, the next stranger must not. */
  has_had_superadmin: Generated<boolean>
  /** Entries of the audit log that are younger cannot be deleted, not even by the owner of the table. */
  audit_retention_days: Generated<number>
}

/** Heartbeats of the processes that run jobs. After 20 seconds of silence a worker counts as dead, and other workers take its jobs. */
interface AppJobWorkers {
  worker_id: string
  started_at: Generated<Timestamp>
  last_seen_at: Generated<Timestamp>
  /** The keeper that started the process. It starts a successor only once this one has ended, so the successor frees the jobs of all rows of its keeper. Null: no keeper. */
  keeper_id: string | null
}

/** Browsers in which a person has signed in. Wrong passwords from elsewhere slow down sign-ins from elsewhere, not theirs. */
interface AppKnownDevices {
  user_id: string
  /** SHA-256 of the random cookie of the browser. */
  token_hash: Buffer
  /** The latest sign-in in this browser. */
  seen_at: Generated<Timestamp>
}

/** The content of locked items. No role reads it: functions move it into the item when it is unlocked. */
interface AppLockedFeedback {
  organization_id: string
  id: string
  /** The month (UTC) whose limit it is unlocked by: that of its arrival. */
  month: Timestamp
  arrived_at: Generated<Timestamp>
  /** Fields of app.submission or app.import_row, by name. */
  content: Json
}

/** Files of locked items, by the ids of their uploads: claimed, but served to no one. */
interface AppLockedFiles {
  organization_id: string
  id: string
  feedback_id: string
}

/** Blocks of up to 8,192 lines with neighbouring ids, and the times of their lines: what a search has to visit. */
interface AppLogBlocks {
  part: Timestamp
  block: number
  from_at: Timestamp
  to_at: Timestamp
}

/** Parts of app.app_logs: quarters of a day in UTC. Removed ones are remembered for 30 days. */
interface AppLogParts {
  starts_at: Timestamp
  removed_at: Timestamp | null
  removed_bytes: number | null
  /** Whether it was removed before its time, because of LOG_MAX_MB. */
  is_removed_for_size: Generated<boolean>
}

/** Words of the stored lines, without ids and numbers: a part of a word is looked up here, and its words in app.app_logs. */
interface AppLogWords {
  word: string
  seen_on: Timestamp
}

/** What each process says of the lines it stores. Kept for as long as its lines. */
interface AppLogWriters {
  process: string
  seen_at: Generated<Timestamp>
  waiting: Generated<number>
  oldest_waiting_at: Timestamp | null
  /** Lines that were not stored since the process started. */
  dropped: Generated<number>
  dropped_at: Timestamp | null
  /** Why lines could not be stored, since the last time they could; null: they can. */
  last_error: string | null
}

/** Figures beyond their threshold. Ended ones are kept for 14 days. */
interface AppMonitorAlerts {
  id: Generated<string>
  figure: string
  /** The first of the minutes beyond the threshold. */
  crossed_at: Timestamp
  /** When superadmins were emailed; null: not beyond it for long enough. */
  alerted_at: Timestamp | null
  /** Of an alert: since when the figure is within the threshold again; null: it is not. */
  recovering_since: Timestamp | null
  /** When it had recovered for as many minutes as an alert takes. */
  ended_at: Timestamp | null
  worst_value: number
}

/** Thresholds that a superadmin changed. contract/superadmin-monitoring.ts has the figures and their defaults. */
interface AppMonitorThresholds {
  figure: string
  limit_value: number
  minutes: number
  is_enabled: boolean
}

/** Processes of the last 14 days. Each writes once a minute. */
interface AppMonitoredProcesses {
  id: string
  /** web, worker, or both, joined by a comma. */
  services: string
  host: string
  pid: number
  app_version: string
  node_version: string
  started_at: Timestamp
  last_seen_at: Generated<Timestamp>
  /** When it was stopped; null: it runs, or it was killed. */
  ended_at: Timestamp | null
}

/** Apps that registered themselves (RFC 7591). Anyone may register one, under any name. They have no secret. */
interface AppOauthClients {
  id: Generated<string>
  /** As the app calls itself. Verified by no one. */
  name: string
  /** Where codes may be sent. */
  redirect_uris: string[]
  created_at: Generated<Timestamp>
}

/** Authorisation codes. Used ones are kept until they expire: a second use revokes what the first gave. */
interface AppOauthCodes {
  organization_id: string
  /** SHA-256 of the code. */
  hash: Buffer
  grant_id: string
  redirect_uri: string
  /** PKCE, method S256. */
  code_challenge: string
  expires_at: Timestamp
  used_at: Timestamp | null
}

/** Tokens of connected apps. They open /mcp and nothing else. */
interface AppOauthTokens {
  organization_id: string
  /** SHA-256 of the token, which is stored nowhere. A token has 256 random bits. */
  hash: Buffer
  grant_id: string
  kind: 'access' | 'refresh'
  expires_at: Timestamp
  /** When a refresh token was exchanged. It is kept until it expires: a second use means a copy, and revokes the grant. */
  used_at: Timestamp | null
}

/** Each suspension of an organisation. Apart from organizations, whose rows members read: the reason is for superadmins alone. */
interface AppOrganizationSuspensions {
  organization_id: string
  id: Generated<string>
  suspended_at: Generated<Timestamp>
  /** The superadmin. No foreign key: the record outlives the account. */
  suspended_by: string | null
  /** For superadmins. */
  reason: string
  /** For the organisation's members; null: there is none. */
  message: string | null
  /** Null: the suspension lasts. */
  lifted_at: Timestamp | null
  lifted_by: string | null
}

/** What a process measured of itself in a minute. Kept for 14 days. */
interface AppProcessMinutes {
  minute: Timestamp
  process_id: string
  /** 99th percentile of the event loop's delay. */
  delay_ms: number
  /** Of one core: 200 are two busy cores. */
  cpu_percent: number
  /** Resident memory. */
  memory_bytes: number
  /** Of the disk with the data folder. */
  disk_free_percent: number
}

/** Token buckets, one row each. A bucket without a row is full, so a job deletes the rows of full ones. */
interface AppRateLimits {
  /** The limited action, e.g. sign_up. */
  name: string
  /** SHA-256 of the limited IP or email address: neither is stored in the clear. */
  key_hash: Buffer
  /** When the bucket is full again. Each token taken moves it by the time that one token needs. */
  full_at: Timestamp
}

/** When the instance was read-only for maintenance; it is now while a row has not ended. Processes hear of a change by NOTIFY (app.announce_read_only). Backups leave the table out: a restored instance takes writes. */
interface AppReadOnlyPeriods {
  id: Generated<string>
  /** What people read in the banner and in refusals; null: the default words. */
  message: string | null
  /** When it is expected to end. It does not end by itself. */
  ends_at: Timestamp | null
  since: Generated<Timestamp>
  /** Name of the superadmin, or of the command. */
  turned_on_by: string
  /** When it was turned off; null: the instance is read-only. */
  ended_at: Timestamp | null
}

/** Files whose row was deleted and whose bytes may remain. A row stays until its bytes are removed, so that an unreachable storage or a crash leaves none behind. */
interface AppRemovedFiles {
  storage_key: string
  removed_at: Generated<Timestamp>
}

/** Migrations and function files that have run on this database. */
interface AppSchemaMigrations {
  name: string
  /** SHA-256 of the file as it ran: shows an edited migration, and a function file to run again. */
  checksum: string
  started_at: Generated<Timestamp>
  /** Null: started and interrupted. Only a file that cannot run in a transaction can be. */
  finished_at: Timestamp | null
  /** The version of Earshot that ran the file. Null: an early one. */
  app_version: string | null
}

/** People who run the instance. They hold every permission in every organisation. */
interface AppSuperadmins {
  user_id: string
  granted_at: Generated<Timestamp>
}

/** What triggers have counted and the job fold_usage has not added to app.usage_days yet. Rows are only added and deleted, so that no two writers wait for each other. */
interface AppUsageChanges {
  /** No foreign key: it would lock the organisation's row in every transaction that counts. */
  organization_id: string
  id: Generated<string>
  day: Timestamp
  figure: 'organizations' | 'members' | 'projects' | 'installs' | 'items' | 'replies' | 'exports' | 'integrations'
  n: number
}

/** Use by organisation and day in UTC. contract/superadmin-metrics.ts defines the figures. */
interface AppUsageDays {
  organization_id: string
  day: Timestamp
  /** 1 on the day on which the organisation was created. */
  organizations: Generated<number>
  members: Generated<number>
  projects: Generated<number>
  /** Projects whose widget a page loaded for the first time. */
  installs: Generated<number>
  items: Generated<number>
  replies: Generated<number>
  exports: Generated<number>
  integrations: Generated<number>
  /** Of the widget; like opens and submissions a sum of public.widget_counters. */
  loads: Generated<number>
  opens: Generated<number>
  submissions: Generated<number>
}

/** Visitors whose items changed or were deleted, so that their sums have to be counted again. Rows are only added and deleted, so that no two writers of items wait for each other. */
interface AppVisitorMarks {
  /** No foreign key: deleting an organisation marks its visitors too. */
  organization_id: string
  id: Generated<string>
  /** As in visitors.key. */
  key: string
}

/** History of accounts: sign-ups, sign-ins, sign-outs, refreshes. Append only. */
interface AuthAuditLogEntries {
  instance_id: Generated<string | null>
  id: string
  /** {action, actor_id, actor_username, actor_via_sso, log_type, traits?} */
  payload: Json | null
  created_at: Timestamp | null
  ip_address: Generated<string>
}

/** Unfinished sign-ins: the PKCE challenge waits here for its verifier. */
interface AuthFlowState {
  id: string
  user_id: string | null
  auth_code: string | null
  code_challenge_method: 's256' | 'plain' | null
  code_challenge: string | null
  provider_type: string
  provider_access_token: string | null
  provider_refresh_token: string | null
  created_at: Timestamp | null
  updated_at: Timestamp | null
  authentication_method: string
  /** When the link in the email was opened. The code's lifetime counts from here, not from the email. */
  auth_code_issued_at: Timestamp | null
  invite_token: string | null
  referrer: string | null
  oauth_client_state_id: string | null
  linking_target_id: string | null
  email_optional: Generated<boolean>
}

/** Sign-in methods of a user: email, Google. */
interface AuthIdentities {
  id: Generated<string>
  /** The user's id at the provider; for provider email, the user's own id. */
  provider_id: string
  user_id: string
  identity_data: Json
  provider: string
  last_sign_in_at: Timestamp | null
  created_at: Timestamp | null
  updated_at: Timestamp | null
  email: Computed<string | null>
}

/** How the user of a session signed in: the access token's amr claim. */
interface AuthMfaAmrClaims {
  id: Generated<string>
  session_id: string
  created_at: Timestamp
  updated_at: Timestamp
  authentication_method: string
}

/** Secrets sent by email, hashed, one per user and purpose; deleted when used. */
interface AuthOneTimeTokens {
  id: Generated<string>
  user_id: string
  token_type: 'confirmation_token' | 'reauthentication_token' | 'recovery_token' | 'email_change_token_new' | 'email_change_token_current' | 'phone_change_token'
  /** SHA-224 of the link's secret, prefixed pkce_ when the browser will exchange a code. The secret itself is stored nowhere. */
  token_hash: string
  /** The address the secret was sent to. */
  relates_to: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

/** First-generation refresh tokens, for sessions imported from Supabase. Sessions made here sign theirs instead: see auth.sessions. */
interface AuthRefreshTokens {
  instance_id: Generated<string | null>
  id: Generated<number>
  token: string | null
  user_id: string | null
  revoked: boolean | null
  created_at: Timestamp | null
  updated_at: Timestamp | null
  parent: string | null
  session_id: string | null
}

/** One row per signed-in device. Deleting it signs that device out. */
interface AuthSessions {
  id: string
  user_id: string
  created_at: Timestamp | null
  updated_at: Timestamp | null
  factor_id: string | null
  aal: 'aal1' | 'aal2' | 'aal3' | null
  /** When the session expires; null: never. */
  not_after: Timestamp | null
  /** Last refresh, in UTC without a zone. Start of the interval in which an older token is still accepted. */
  refreshed_at: Timestamp | null
  user_agent: string | null
  ip: string | null
  tag: string | null
  oauth_client_id: string | null
  /** Base64url of the secret that signs this session's refresh tokens. The tokens themselves are stored nowhere. */
  refresh_token_hmac_key: string | null
  /** Number of the session's only active refresh token; every rotation adds one. */
  refresh_token_counter: number | null
  scopes: string | null
}

/** People who can sign in. */
interface AuthUsers {
  /** Unused by one-instance installations: always the zero UUID. */
  instance_id: Generated<string | null>
  id: string
  aud: string | null
  role: string | null
  /** Lower-cased. Unique among accounts that do not come from single sign-on. */
  email: string | null
  /** argon2id in PHC form; bcrypt from an imported Supabase is accepted. Empty: no password. */
  encrypted_password: string | null
  email_confirmed_at: Timestamp | null
  invited_at: Timestamp | null
  /** Hash of the address and the six-digit code of the sign-up email. The hash of its link is in auth.one_time_tokens. Empty: none pending; never null. */
  confirmation_token: Generated<string | null>
  /** When the confirmation email was queued: start of the resend pause and of the link's lifetime. */
  confirmation_sent_at: Timestamp | null
  recovery_token: Generated<string | null>
  recovery_sent_at: Timestamp | null
  email_change_token_new: Generated<string | null>
  email_change: Generated<string | null>
  email_change_sent_at: Timestamp | null
  last_sign_in_at: Timestamp | null
  /** Facts the server states about the account: provider, providers. The user cannot change them. */
  raw_app_meta_data: Json | null
  /** Data that the user gave: sign-up data, name. Never a basis for permissions. */
  raw_user_meta_data: Json | null
  /** Unused: kept so that the table equals Supabase's. Superadmins stand in app.superadmins. */
  is_super_admin: boolean | null
  created_at: Timestamp | null
  updated_at: Timestamp | null
  phone: string | null
  phone_confirmed_at: Timestamp | null
  phone_change: Generated<string | null>
  phone_change_token: Generated<string | null>
  phone_change_sent_at: Timestamp | null
  confirmed_at: Computed<Timestamp | null>
  email_change_token_current: Generated<string | null>
  /** How many of the two addresses have confirmed a change: 0, 1; 2 is reserved. */
  email_change_confirm_status: Generated<number | null>
  /** Sign-in is refused until then. */
  banned_until: Timestamp | null
  reauthentication_token: Generated<string | null>
  reauthentication_sent_at: Timestamp | null
  is_sso_user: Generated<boolean>
  deleted_at: Timestamp | null
  is_anonymous: Generated<boolean>
}

export interface DB {
  api_keys: ApiKeys
  audit_log: AuditLog
  avatars: Avatars
  blog_pictures: BlogPictures
  blog_post_revisions: BlogPostRevisions
  blog_posts: BlogPosts
  blog_redirects: BlogRedirects
  contact_messages: ContactMessages
  deliveries: Deliveries
  delivery_attempts: DeliveryAttempts
  email_suppressions: EmailSuppressions
  exports: Exports
  feedback: Feedback
  feedback_attachments: FeedbackAttachments
  feedback_comments: FeedbackComments
  feedback_counts: FeedbackCounts
  feedback_day_values: FeedbackDayValues
  feedback_days: FeedbackDays
  feedback_events: FeedbackEvents
  feedback_operations: FeedbackOperations
  feedback_reads: FeedbackReads
  feedback_words: FeedbackWords
  full_quotas: FullQuotas
  github_apps: GithubApps
  granted_plans: GrantedPlans
  import_problems: ImportProblems
  imports: Imports
  integration_queues: IntegrationQueues
  integrations: Integrations
  invitations: Invitations
  issue_comments: IssueComments
  issue_links: IssueLinks
  item_months: ItemMonths
  member_activity: MemberActivity
  memberships: Memberships
  notification_preferences: NotificationPreferences
  notification_settings: NotificationSettings
  notifications: Notifications
  oauth_grants: OauthGrants
  organization_logos: OrganizationLogos
  organizations: Organizations
  payments: Payments
  plan_warnings: PlanWarnings
  plans: Plans
  presence: Presence
  profiles: Profiles
  project_counters: ProjectCounters
  projects: Projects
  refunds: Refunds
  reply_templates: ReplyTemplates
  resolution_emails: ResolutionEmails
  revenue_changes: RevenueChanges
  saved_views: SavedViews
  stripe_customers: StripeCustomers
  stripe_events: StripeEvents
  stripe_reconciliations: StripeReconciliations
  subscriptions: Subscriptions
  tracker_hooks: TrackerHooks
  uploads: Uploads
  visitor_erasures: VisitorErasures
  visitor_joins: VisitorJoins
  visitors: Visitors
  widget_counters: WidgetCounters
  widget_days: WidgetDays
  widget_versions: WidgetVersions
  widgets: Widgets
  withdrawals: Withdrawals
  'app.accounts': AppAccounts
  'app.activation_days': AppActivationDays
  'app.activations': AppActivations
  'app.active_organizations': AppActiveOrganizations
  'app.app_logs': AppAppLogs
  'app.backup_runs': AppBackupRuns
  'app.email_attempts': AppEmailAttempts
  'app.email_pauses': AppEmailPauses
  'app.email_template_revisions': AppEmailTemplateRevisions
  'app.email_templates': AppEmailTemplates
  'app.emails': AppEmails
  'app.events': AppEvents
  'app.export_subjects': AppExportSubjects
  'app.feedback_day_marks': AppFeedbackDayMarks
  'app.idempotent_requests': AppIdempotentRequests
  'app.impersonations': AppImpersonations
  'app.instance_days': AppInstanceDays
  'app.instance_minutes': AppInstanceMinutes
  'app.instance_settings': AppInstanceSettings
  'app.job_workers': AppJobWorkers
  'app.known_devices': AppKnownDevices
  'app.locked_feedback': AppLockedFeedback
  'app.locked_files': AppLockedFiles
  'app.log_blocks': AppLogBlocks
  'app.log_parts': AppLogParts
  'app.log_words': AppLogWords
  'app.log_writers': AppLogWriters
  'app.monitor_alerts': AppMonitorAlerts
  'app.monitor_thresholds': AppMonitorThresholds
  'app.monitored_processes': AppMonitoredProcesses
  'app.oauth_clients': AppOauthClients
  'app.oauth_codes': AppOauthCodes
  'app.oauth_tokens': AppOauthTokens
  'app.organization_suspensions': AppOrganizationSuspensions
  'app.process_minutes': AppProcessMinutes
  'app.rate_limits': AppRateLimits
  'app.read_only_periods': AppReadOnlyPeriods
  'app.removed_files': AppRemovedFiles
  'app.schema_migrations': AppSchemaMigrations
  'app.superadmins': AppSuperadmins
  'app.usage_changes': AppUsageChanges
  'app.usage_days': AppUsageDays
  'app.visitor_marks': AppVisitorMarks
  'auth.audit_log_entries': AuthAuditLogEntries
  'auth.flow_state': AuthFlowState
  'auth.identities': AuthIdentities
  'auth.mfa_amr_claims': AuthMfaAmrClaims
  'auth.one_time_tokens': AuthOneTimeTokens
  'auth.refresh_tokens': AuthRefreshTokens
  'auth.sessions': AuthSessions
  'auth.users': AuthUsers
}
