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

/** Who did what: sign-ins, roles, projects, exports, superadmin acts. Append only. No foreign keys: it outlives what it names. The nil organisation holds what concerns the whole instance. */
interface AuditLog {
  organization_id: string
  id: Generated<string>
  actor_user_id: string | null
  action: string
  target_type: string | null
  target_id: string | null
  details: Generated<Json>
  created_at: Generated<Timestamp>
}

/** Pictures that people chose of themselves. A new picture gets a new id, so that its address can be cached for ever. */
interface Avatars {
  user_id: string
  id: string
  mime: 'image/webp' | 'image/png' | 'image/jpeg'
  bytes: Buffer
  created_at: Generated<Timestamp>
}

/** Files of feedback that members asked for, in a format and with the count of items in them. Deleted with their bytes after seven days; the audit log remembers. */
interface Exports {
  organization_id: string
  /** Made by the sender and the same over every retry: it is what makes a retry safe. */
  id: string
  /** Who asked, and as whom the items are read. No foreign key: the file outlives the account. */
  created_by: string
  format: 'csv' | 'json' | 'xlsx' | 'zip'
  /** Which items: the filters of the inbox. */
  selection: Json
  state: Generated<'queued' | 'running' | 'ready' | 'failed'>
  /** How often it was begun. */
  attempts: Generated<number>
  count: number | null
  processed: Generated<number>
  bytes: number | null
  /** Where the bytes lie. Each attempt writes to a place of its own, so that one that is thought dead can harm none. */
  storage_key: string | null
  /** Why it failed, or what is missing from it. For the team to read. */
  note: string | null
  created_at: Generated<Timestamp>
  expires_at: Generated<Timestamp>
}

/** What visitors sent: one row per submission, numbered per project. */
interface Feedback {
  organization_id: string
  /** Made by the sender (UUIDv7) and the same over every retry: it is what makes a retry safe. */
  id: string
  project_id: string
  /** Counts up per project, never reused: #123. */
  number: number
  type: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  source: 'widget' | 'api' | 'link' | 'import' | 'manual' | 'test'
  status: Generated<'new' | 'open' | 'in_progress' | 'resolved' | 'closed'>
  closed_reason: 'wont_fix' | 'duplicate' | 'not_reproducible' | null
  priority: Generated<'none' | 'low' | 'medium' | 'high' | 'urgent'>
  /** Empty when a rating, an answer or an attachment says it all. */
  message: string
  rating: number | null
  visitor_email: string | null
  visitor_name: string | null
  page_url: string
  page_title: string | null
  /** What the widget saw of browser and page. */
  context: Generated<Json>
  /** What the site attached. */
  metadata: Generated<Json>
  /** SHA-256 of what was sent: tells a retry from another submission under the same id. */
  content_hash: Buffer
  /** Goes up with every change by the team; a change based on an older one is refused. */
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** When a member first opened it; null while unread. */
  first_viewed_at: Timestamp | null
  resolved_at: Timestamp | null
  /** Words of message, visitor and page, made by app.make_search; filled in by trigger where the writer did not. */
  search: string
  /** How likely the visitor is to recommend, 0 to 10. */
  nps: number | null
  /** Answers to the project's own questions, by their ids. */
  fields: Generated<Json>
  /** Agreed to the consent line; null: was not asked. */
  consent: boolean | null
  tags: Generated<string[]>
  /** Who the site said the visitor is. */
  visitor_id: string | null
  /** The site vouched for visitor_id by a signature. */
  visitor_verified: Generated<boolean>
  /** SHA-256 of the browser's secret: by it a visitor finds their own items. */
  visitor_key_hash: Buffer | null
  /** Why it lies in quarantine; null: it does not. */
  spam_reason: string | null
  /** The member who looks after it. */
  assignee_user_id: string | null
  archived_at: Timestamp | null
  /** Thrown away then, and for good thirty days later; null: it was not. */
  deleted_at: Timestamp | null
  /** The item that this one is a duplicate of; null: it stands for itself. */
  merged_into: string | null
  /** When a member first answered the visitor. */
  first_response_at: Timestamp | null
  /** Where it is found: inbox, archived, spam, trash, or merged into another. */
  place: Computed<string>
  /** Kinds of the files that it announced, each once. */
  media_kinds: Generated<string[]>
  /** What can be filtered by, as one sign for each value. Made by the database, so it is never out of step. */
  facets: Computed<string>
}

/** Files that an item announced. Their bytes are in uploads under the same id, and may arrive before or after. */
interface FeedbackAttachments {
  organization_id: string
  /** Made by the sender (UUIDv7), like the item's. */
  id: string
  feedback_id: string
  kind: 'screenshot' | 'voice' | 'screen' | 'file' | 'replay'
  name: string | null
  /** Order within the item. */
  position: Generated<number>
  /** As the sender measured it; uploads holds what the server found. */
  duration_ms: number | null
  created_at: Generated<Timestamp>
}

/** What was said about an item: notes of the team among themselves, replies to the visitor, and the visitor's answers. */
interface FeedbackComments {
  organization_id: string
  /** Made by the sender and the same over every retry. */
  id: string
  feedback_id: string
  kind: 'note' | 'reply'
  /** No foreign key: what was said outlives accounts. */
  author_user_id: string | null
  text: string
  created_at: Generated<Timestamp>
  /** An answer of the visitor; false: the team's. */
  from_visitor: Generated<boolean>
  /** With an answer: whether the visitor says that it is solved. */
  solved: boolean | null
  /** Members whom a note names; in its text each stands as <@id>, so that it shows the name that they have now. */
  mentions: Generated<string[]>
  /** What became of a reply's mail; no_address: the visitor left none. Null: it is no reply of the team's, or an old one. */
  delivery: 'no_address' | 'waiting' | 'sent' | 'failed' | null
  /** The reply's mail in the outbox. No foreign key: mails are kept for a month. */
  email_id: string | null
}

/** Items by project, place and sign (see feedback.facets): the sum of n. An empty sign counts all, T… a tag as written. */
interface FeedbackCounts {
  organization_id: string
  project_id: string
  place: string
  facet: string
  /** 0: folded; others are changes that wait to be folded. */
  change_id: number
  n: number
}

/** The same by where it came from: the most frequent values of a day, and the rest together under the empty value. */
interface FeedbackDayValues {
  organization_id: string
  scope_id: string
  dimension: 'page' | 'browser' | 'country'
  day: Timestamp
  value: string
  n: number
}

/** What came in on one day, counted: without spam and trash. Made anew from public.feedback whenever an item of the day changes. */
interface FeedbackDays {
  organization_id: string
  /** A project, or the organisation itself for all of its projects. No foreign key: a project's items take their sums along. */
  scope_id: string
  /** In UTC; of the items' arrival, also for what happened to them later. */
  day: Timestamp
  items: number
  types: Json
  sources: Json
  statuses: Json
  /** Items by rating: 1 to 5. */
  ratings: number[]
  /** Items by score: 0 to 10. */
  nps: number[]
  /** Items by the time until a member first opened them: under a minute, then four steps for each doubling. What was imported was worked on elsewhere and is in none of the three. */
  first_view: number[]
  /** The same until a member first answered the visitor. */
  first_response: number[]
  /** The same until they were resolved or closed. */
  resolution: number[]
  /** Of those that lie in the inbox: what nobody has opened. */
  inbox_unread: number
  /** Of those that lie in the inbox: status new. */
  inbox_new: number
  /** Of those that lie in the inbox and are neither resolved nor closed: by priority. */
  inbox_priorities: Json
  /** The same by the member who looks after them. */
  inbox_assignees: Json
}

/** History of every change to an item: who, what, from, to. Written by trigger, changed by nobody. */
interface FeedbackEvents {
  organization_id: string
  id: Generated<string>
  feedback_id: string
  /** Who did it; null for the system. No foreign key: history outlives accounts. */
  actor_user_id: string | null
  field: string
  from_value: string | null
  to_value: string | null
  created_at: Generated<Timestamp>
  /** The change of many items that this one belongs to: by it the whole is undone. Null: it was changed alone. */
  operation_id: string | null
  /** The item's version after this change: while it has that, nobody has changed it since. Null: older than this column. */
  version: number | null
  /** With a change of status: since when the item had been resolved before, so that undoing can say so again. */
  resolved_at: Timestamp | null
}

/** Changes of many items: what was asked, and how far it is. Each step commits with the items that it changed, so that whoever goes on after a crash begins where the last one ended. Kept for as long as they can be undone. */
interface FeedbackOperations {
  organization_id: string
  /** Made by the sender, which makes a retry safe. */
  id: string
  /** Who asked for it, and as whom it runs. No foreign key: whoever runs the instance may ask too. */
  actor_user_id: string
  /** SHA-256 of the request: tells a retry from another one. */
  request_hash: Buffer
  change: Json
  /** The items as they were found at the start, in the order in which everybody locks them. */
  item_ids: string[]
  state: Generated<'running' | 'done' | 'undoing' | 'undone' | 'failed'>
  /** How many of item_ids were looked at. */
  processed: Generated<number>
  changed: Generated<number>
  /** How many of those were looked at once more, to undo. */
  undo_processed: Generated<number>
  /** Items that were not put back, because somebody changed them since. */
  kept: Generated<number>
  created_at: Generated<Timestamp>
}

/** Words of letters that items hold, for finding what is near to a mistyped one. */
interface FeedbackWords {
  organization_id: string
  word: string
}

/** Rows of a file that were left out, and why: the first few thousand of them. */
interface ImportProblems {
  organization_id: string
  import_id: string
  /** As a spreadsheet counts. */
  row_number: number
  reason: string
}

/** Files of feedback from elsewhere, on their way into a project. An item's id is made of the import's and its row, so that no row becomes two items. Deleted a week after an import that came to nothing, a month after one that did. */
interface Imports {
  organization_id: string
  /** Made by the sender and the same over every retry. */
  id: string
  project_id: string
  /** Who asked. No foreign key: the record outlives the account. */
  created_by: string
  name: string
  state: Generated<'waiting' | 'uploaded' | 'checking' | 'checked' | 'importing' | 'imported' | 'undoing' | 'undone' | 'cancelled' | 'failed'>
  /** Where the file lies; null before it came and after it was imported. */
  storage_key: string | null
  /** SHA-256 of the file: tells that it was imported before. */
  content_hash: Buffer | null
  /** What the file looks like: encoding, delimiter, columns, first rows. */
  layout: Json | null
  /** Which column becomes what. */
  mapping: Json | null
  /** The step at hand: what another step's job still does is refused. */
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
}

/** Who was asked to join an organisation. Rows stay when they are used up: they say how a member came. */
interface Invitations {
  organization_id: string
  id: Generated<string>
  email: string
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** SHA-256 of the link's token, which itself stands in the mail alone. */
  token_hash: Buffer
  /** Who invited. No foreign key: the invitation outlives their account. */
  invited_by: string
  /** When the latest mail was queued; an invitation that is asked for again gets a new one. */
  sent_at: Generated<Timestamp>
  expires_at: Generated<Timestamp>
  accepted_at: Timestamp | null
  accepted_by: string | null
  revoked_at: Timestamp | null
}

/** Who belongs to which organisation, in which role. */
interface Memberships {
  organization_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member' | 'viewer'
  joined_at: Generated<Timestamp>
}

/** What concerns one member. New feedback makes no rows: it concerns everybody, and is told from the items themselves. */
interface Notices {
  organization_id: string
  id: Generated<string>
  user_id: string
  feedback_id: string
  kind: 'assigned' | 'mentioned' | 'visitor_replied'
  /** Who did it; null: a visitor, or somebody whose account is gone. */
  actor_user_id: string | null
  /** How many items were handed over together; the row names one of them. */
  item_count: Generated<number>
  in_app: boolean
  /** Whether a mail about it is still to be written. */
  mail_due: boolean
  created_at: Generated<Timestamp>
  read_at: Timestamp | null
}

/** How a member wants to hear of what happens in a project. No row: the columns' defaults. */
interface NotificationPreferences {
  organization_id: string
  user_id: string
  project_id: string
  new_feedback_mail: Generated<'off' | 'instant' | 'hourly' | 'daily'>
  new_feedback_app: Generated<boolean>
  assigned_mail: Generated<boolean>
  assigned_app: Generated<boolean>
  mentioned_mail: Generated<boolean>
  mentioned_app: Generated<boolean>
  visitor_replied_mail: Generated<boolean>
  visitor_replied_app: Generated<boolean>
  /** Feedback up to then is no news to the member in the app any more; null: since they joined. */
  seen_until: Timestamp | null
  /** Feedback up to then has been mailed to the member, or will never be; null: since they joined. */
  mailed_until: Timestamp | null
}

/** What holds for all mails to one member. No row: the columns' defaults. */
interface NotificationSettings {
  organization_id: string
  user_id: string
  /** Where the member's browser is, e.g. Europe/Berlin. */
  time_zone: Generated<string>
  /** Kinds of mail that the member unsubscribed from, whatever the preferences of projects say. */
  muted_mails: Generated<string[]>
  /** The member's own date of the last daily digest. */
  daily_digest_on: Timestamp | null
  /** When the present ten minutes of instant mails began. */
  mails_since: Timestamp | null
  /** Instant mails within these ten minutes. */
  mails_sent: Generated<number>
}

/** A customer: owns projects, has members, pays one subscription. */
interface Organizations {
  id: Generated<string>
  name: string
  /** The name as it can stand in an address. Unique in the instance. */
  slug: string
  /** End of the trial; null where there never was one. */
  trial_ends_at: Timestamp | null
  subscription_status: Generated<'trialing' | 'active' | 'past_due' | 'canceled' | 'expired' | 'self_hosted'>
  subscription_plan_id: string | null
  created_at: Generated<Timestamp>
  /** Whether mails to members repeat what visitors wrote. If not, they only say that there is something. */
  mails_hold_words: Generated<boolean>
}

/** Which items are open in whose browser. A row that was not renewed for 45 s says nothing any more. No foreign keys to item and member: they would cost each a write, and a row outlives them by seconds only. */
interface Presence {
  organization_id: string
  user_id: string
  /** Made by the page: a person may have several open. */
  page_id: string
  feedback_id: string
  seen_at: Generated<Timestamp>
}

/** What members may know of each other. A copy of auth.users kept by trigger, because nobody may read that table. */
interface Profiles {
  user_id: string
  full_name: string | null
  email: string
  avatar_url: string | null
}

/** Numbers given and items held, per project. Apart from projects, so that ingest locks this row and nobody else waits; half-filled pages keep its updates in place. */
interface ProjectCounters {
  organization_id: string
  project_id: string
  /** Number of the newest item. Numbers are never used twice. */
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
  /** Further host names on which the widget works, with their subdomains; normalised like domain. */
  extra_origins: Generated<string[]>
  /** Takes no new feedback since then; what it has stays where it is. Null: it does. */
  archived_at: Timestamp | null
  /** Feedback older than this is deleted for good every night. Null: it is kept. */
  retention_days: number | null
  /** Deleted then: nobody sees it any more, and a job removes its rows and files. Its name and domain are gone at once. */
  deleted_at: Timestamp | null
}

/** States of the inbox that somebody gave a name. */
interface SavedViews {
  organization_id: string
  /** Made by the sender, which makes a retry safe. */
  id: string
  /** Who saved it; null when the account is gone and the team keeps it. */
  owner_user_id: string | null
  name: string
  /** The part of the inbox's address after the question mark. */
  search: string
  /** Whether all members see and change it; otherwise only the owner. */
  is_shared: boolean
  created_at: Generated<Timestamp>
}

/** Bytes that visitors sent: how much is here, where they lie, and what they turned out to be. Rows that no item claims within a day are deleted. */
interface Uploads {
  organization_id: string
  /** Made by the sender. The item that announces it in feedback_attachments claims it. */
  id: string
  project_id: string
  /** refused: the bytes were not what they said they were, and are gone. */
  state: Generated<'receiving' | 'processing' | 'ready' | 'refused'>
  kind: 'screenshot' | 'voice' | 'screen' | 'file' | 'replay'
  name: string | null
  /** As the sender said; decides nothing. */
  declared_mime: string | null
  /** Length of the whole; null while the sender does not know it yet. */
  declared_bytes: number | null
  /** By the content; null until it was looked at. */
  mime: string | null
  /** Received so far, as of the last request. */
  bytes: Generated<number>
  /** Where the bytes lie: made by the server, never used twice. */
  storage_key: string
  /** A form that plays everywhere, where one was made. */
  playback_key: string | null
  poster_key: string | null
  /** Loudness over the length of the sound, 0 to 100. */
  waveform: number[] | null
  width: number | null
  height: number | null
  duration_ms: number | null
  /** Why it was refused, or what could not be done with it. For the team to read. */
  note: string | null
  /** Found to belong to an item when a day old: the sweep need not look at it again. Says nothing before that. */
  is_claimed: Generated<boolean>
  created_at: Generated<Timestamp>
  completed_at: Timestamp | null
}

/** People who were erased: when, by whom, how much; not who they were. */
interface VisitorErasures {
  organization_id: string
  id: string
  state: Generated<'running' | 'done'>
  /** Who is being erased. Emptied when it is done. */
  subject: string | null
  /** Their addresses, found before the first item went. Emptied when it is done. */
  addresses: string[] | null
  /** SHA-256 of the organisation's id and the subject: shows later that somebody was erased to whoever knows the subject. */
  subject_hash: Buffer
  /** No foreign key: outlives accounts. */
  requested_by: string
  /** Items found when it began. */
  total: Generated<number>
  items: Generated<number>
  files: Generated<number>
  created_at: Generated<Timestamp>
  finished_at: Timestamp | null
}

/** Who sent feedback and said who they are, to list and find them. Written after the fact from feedback, and gone with it. */
interface Visitors {
  organization_id: string
  /** Who the site said the visitor is or, for those it did not name, their address in lower case. */
  key: string
  visitor_id: string | null
  /** The last address given. */
  email: string | null
  /** The last name given. */
  name: string | null
  /** The site vouched for visitor_id by a signature, at least once. */
  is_verified: Generated<boolean>
  first_seen_at: Timestamp
  last_seen_at: Timestamp
  search: Computed<string>
}

/** What pages do with the widget, as sums of an hour: a billion loads cost rows per project and hour, not per load. */
interface WidgetCounters {
  organization_id: string
  project_id: string
  hour: Timestamp
  event: 'loaded' | 'opened' | 'closed' | 'submitted'
  n: number
}

/** Sums of public.widget_counters over whole days in UTC that are over. Later hours are read from there. */
interface WidgetDays {
  organization_id: string
  project_id: string
  day: Timestamp
  loaded: number
  opened: number
  submitted: number
}

/** Settings that were published before the present ones, a stack: publishing puts the old ones on it, undoing takes them off again. */
interface WidgetVersions {
  organization_id: string
  project_id: string
  id: Generated<string>
  settings: Json
  published_at: Timestamp | null
  published_by: string | null
  replaced_at: Generated<Timestamp>
}

/** What a page loads to show the button: key and settings of a project's widget. */
interface Widgets {
  organization_id: string
  id: Generated<string>
  project_id: string
  /** Public key in the snippet's address. Not a secret. */
  key: string
  /** As visitors get them. What is missing has its default. */
  settings: Generated<Json>
  /** When a page last asked for the widget, to the minute; null until the snippet is found. */
  last_loaded_at: Timestamp | null
  created_at: Generated<Timestamp>
  /** Settings being worked on, whole; null: none. */
  draft: Json | null
  /** Shows the draft to whoever knows it; another one with each change. */
  draft_token: string | null
  published_at: Timestamp | null
  /** No foreign key: outlives accounts. */
  published_by: string | null
  /** Which of the secrets, derived from the instance's, signs the ids of this project's visitors. Goes up to forget one. */
  identity_generation: Generated<number>
}

/** When a mail of one kind was last asked for, for one address. Kept for addresses without an account too, so that the answer does not tell whether there is one. */
interface AppEmailPauses {
  kind: string
  /** SHA-256 of the lower-case address: strangers' addresses are not collected. */
  address_hash: Buffer
  asked_at: Timestamp
}

/** Mails to send and mails sent. */
interface AppEmails {
  id: string
  /** Which mail it is, e.g. confirm_sign_up. */
  kind: string
  to_address: string
  subject: string
  /** Emptied once the mail is sent or given up: it may hold a sign-in link. */
  html: string
  /** The same mail without markup. Emptied with html. */
  text: string
  created_at: Generated<Timestamp>
  /** When the mail server took it. */
  sent_at: Timestamp | null
  /** When it was given up: the mail server refused the address for good. */
  failed_at: Timestamp | null
  attempts: Generated<number>
  /** Why the last attempt failed, without addresses. */
  last_error: string | null
  /** In whose name it is sent; null: the instance's own. */
  sender_name: string | null
  /** What it continues, oldest first: ids of mails, or of the item that they are about. By these mailboxes keep threads. */
  refers_to: Generated<string[]>
  organization_id: string | null
  /** The item that it is about: when that is erased, so is the mail. Null: about none. */
  feedback_id: string | null
  /** Where a mailbox unsubscribes with one click (RFC 8058); null: a mail that was asked for. */
  unsubscribe_url: string | null
}

/** Days whose sums are to be made anew. Rows are only added and taken away, so that nobody who changes an item waits for somebody else who does. */
interface AppFeedbackDayMarks {
  /** No foreign key: an organisation that is being deleted marks its days too. */
  organization_id: string
  id: Generated<string>
  day: Timestamp
  /** False: only the team's work on items changed, so pages, browsers and countries need not be read again. */
  is_whole: boolean
}

/** What triggers must know of the configuration. One row, written at every start. */
interface AppInstanceSettings {
  only_row: Generated<boolean>
  /** Whether a new organisation starts a trial. If not, it is self_hosted: no limits. */
  billing_enabled: Generated<boolean>
  /** Lower-case addresses that become superadmins when confirmed. */
  superadmin_emails: Generated<string[]>
  /** Whether somebody became superadmin by being the first. Happens once. */
  has_had_superadmin: Generated<boolean>
}

/** Heartbeats of the processes that run jobs. A worker not seen for a minute is dead, and its jobs are given to others. */
interface AppJobWorkers {
  worker_id: string
  started_at: Generated<Timestamp>
  last_seen_at: Generated<Timestamp>
}

/** Token buckets, one row each. A bucket without a row is full, so rows whose moment has passed can go. */
interface AppRateLimits {
  /** What is limited, e.g. sign_up. */
  name: string
  /** SHA-256 of whom it limits: an address of the net or of mail is not kept as such. */
  key_hash: Buffer
  /** When the bucket will be full again if nobody takes from it. Each token taken moves it by the time one token needs. */
  full_at: Timestamp
}

/** Files whose row is gone and whose bytes may still be there. A row stays until its bytes are removed, so that nothing is left behind by a storage that was away or a process that died. */
interface AppRemovedFiles {
  storage_key: string
  removed_at: Generated<Timestamp>
}

/** Migrations that have run on this database. */
interface AppSchemaMigrations {
  name: string
  /** SHA-256 of the file as it ran: tells an edited file. */
  checksum: string
  started_at: Generated<Timestamp>
  /** Null: begun and broken off. Only a file that cannot run in a transaction can be. */
  finished_at: Timestamp | null
}

/** People who run the instance. They hold every permission in every organisation. */
interface AppSuperadmins {
  user_id: string
  granted_at: Generated<Timestamp>
}

/** What happened to accounts: sign-ups, sign-ins, sign-outs, refreshes. Append only. */
interface AuthAuditLogEntries {
  instance_id: Generated<string | null>
  id: string
  /** {action, actor_id, actor_username, actor_via_sso, log_type, traits?} */
  payload: Json | null
  created_at: Timestamp | null
  ip_address: Generated<string>
}

/** A sign-in begun by a browser and not yet finished: the PKCE challenge waits here for its verifier. */
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
  /** When the mail link was opened. The code's lifetime counts from here, not from the mail. */
  auth_code_issued_at: Timestamp | null
  invite_token: string | null
  referrer: string | null
  oauth_client_state_id: string | null
  linking_target_id: string | null
  email_optional: Generated<boolean>
}

/** The ways in which one user signs in: e-mail, Google. */
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

/** How a session's user proved who they are: the access token's amr claim. */
interface AuthMfaAmrClaims {
  id: Generated<string>
  session_id: string
  created_at: Timestamp
  updated_at: Timestamp
  authentication_method: string
}

/** Secrets sent by mail, hashed, one per user and purpose; deleted when used. */
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
  /** When the session ends for good; null: no limit. */
  not_after: Timestamp | null
  /** Last refresh, in UTC without a zone. Start of the interval in which an older token may be presented again. */
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
  /** Hash of the address and the six-digit code of the sign-up mail. The hash of its link stands in auth.one_time_tokens. Empty: none pending; never null. */
  confirmation_token: Generated<string | null>
  /** When the confirmation mail was queued: start of the resend pause and of the link's lifetime. */
  confirmation_sent_at: Timestamp | null
  recovery_token: Generated<string | null>
  recovery_sent_at: Timestamp | null
  email_change_token_new: Generated<string | null>
  email_change: Generated<string | null>
  email_change_sent_at: Timestamp | null
  last_sign_in_at: Timestamp | null
  /** Facts the server states about the account: provider, providers. The user cannot change them. */
  raw_app_meta_data: Json | null
  /** What the user said about themselves: sign-up data, name. Never a basis for permissions. */
  raw_user_meta_data: Json | null
  /** Kept for compatibility, unused. The product's superadmins are its own. */
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
  audit_log: AuditLog
  avatars: Avatars
  exports: Exports
  feedback: Feedback
  feedback_attachments: FeedbackAttachments
  feedback_comments: FeedbackComments
  feedback_counts: FeedbackCounts
  feedback_day_values: FeedbackDayValues
  feedback_days: FeedbackDays
  feedback_events: FeedbackEvents
  feedback_operations: FeedbackOperations
  feedback_words: FeedbackWords
  import_problems: ImportProblems
  imports: Imports
  invitations: Invitations
  memberships: Memberships
  notices: Notices
  notification_preferences: NotificationPreferences
  notification_settings: NotificationSettings
  organizations: Organizations
  presence: Presence
  profiles: Profiles
  project_counters: ProjectCounters
  projects: Projects
  saved_views: SavedViews
  uploads: Uploads
  visitor_erasures: VisitorErasures
  visitors: Visitors
  widget_counters: WidgetCounters
  widget_days: WidgetDays
  widget_versions: WidgetVersions
  widgets: Widgets
  'app.email_pauses': AppEmailPauses
  'app.emails': AppEmails
  'app.feedback_day_marks': AppFeedbackDayMarks
  'app.instance_settings': AppInstanceSettings
  'app.job_workers': AppJobWorkers
  'app.rate_limits': AppRateLimits
  'app.removed_files': AppRemovedFiles
  'app.schema_migrations': AppSchemaMigrations
  'app.superadmins': AppSuperadmins
  'auth.audit_log_entries': AuthAuditLogEntries
  'auth.flow_state': AuthFlowState
  'auth.identities': AuthIdentities
  'auth.mfa_amr_claims': AuthMfaAmrClaims
  'auth.one_time_tokens': AuthOneTimeTokens
  'auth.refresh_tokens': AuthRefreshTokens
  'auth.sessions': AuthSessions
  'auth.users': AuthUsers
}
