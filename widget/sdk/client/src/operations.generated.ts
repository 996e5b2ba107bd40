// Generated from the contracts of the public API by `npm run documents`. Do not edit.

export interface Project {
  id: string
  name: string
  domain: string
  extraOrigins: string[]
  widgetKey: string
  feedbackCount: number
  archivedAt: string | null
  createdAt: string
}

export interface FeedbackListItem {
  id: string
  projectId: string
  number: number
  type: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  source: 'widget' | 'api' | 'link' | 'import' | 'manual' | 'test'
  status: 'new' | 'open' | 'in_progress' | 'resolved' | 'closed'
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  excerpt: string
  rating: number | null
  nps: number | null
  tags: string[]
  attachmentKinds: ('screenshot' | 'voice' | 'screen' | 'file' | 'replay')[]
  visitorEmail: string | null
  visitorName: string | null
  visitorId: string | null
  joinedVisitors?: string[]
  visitorVerified: boolean
  spamReason: string | null
  location: 'inbox' | 'snoozed' | 'archived' | 'spam' | 'trash' | 'merged'
  snoozedUntil: string | null
  assigneeId: string | null
  mergedInto: string | null
  pageUrl: string
  createdAt: string
  updatedAt: string
  firstViewedAt: string | null
  unread: boolean
  lastReplyBy: 'team' | 'visitor' | null
  issues: {
    state: 'creating' | 'linked' | 'failed' | 'gone'
    label: string | null
    status: string | null
    isDone: boolean
  }[]
  locked: boolean
  version: number
}

export interface FeedbackDetail {
  id: string
  projectId: string
  number: number
  type: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  source: 'widget' | 'api' | 'link' | 'import' | 'manual' | 'test'
  status: 'new' | 'open' | 'in_progress' | 'resolved' | 'closed'
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  excerpt: string
  rating: number | null
  nps: number | null
  tags: string[]
  attachmentKinds: ('screenshot' | 'voice' | 'screen' | 'file' | 'replay')[]
  visitorEmail: string | null
  visitorName: string | null
  visitorId: string | null
  joinedVisitors?: string[]
  visitorVerified: boolean
  spamReason: string | null
  location: 'inbox' | 'snoozed' | 'archived' | 'spam' | 'trash' | 'merged'
  snoozedUntil: string | null
  assigneeId: string | null
  mergedInto: string | null
  pageUrl: string
  createdAt: string
  updatedAt: string
  firstViewedAt: string | null
  unread: boolean
  lastReplyBy: 'team' | 'visitor' | null
  issues: {
    state: 'creating' | 'linked' | 'failed' | 'gone'
    label: string | null
    status: string | null
    isDone: boolean
  }[]
  locked: boolean
  version: number
  message: string
  fields: { id: string; label: string; value: string | boolean }[]
  consent: boolean | null
  closedReason: 'wont_fix' | 'duplicate' | 'not_reproducible' | null
  pageTitle: string | null
  context: Record<string, unknown>
  metadata: Record<string, unknown>
  firstResponseAt: string | null
  resolvedAt: string | null
  deletedAt: string | null
  history: FeedbackEvent[]
  original: RelatedItem | null
  duplicates: RelatedItem[]
  comments: FeedbackComment[]
  attachments: {
    id: string
    kind: 'screenshot' | 'voice' | 'screen' | 'file' | 'replay'
    name: string | null
    state: 'pending' | 'processing' | 'ready' | 'refused'
    note: string | null
    mime: string | null
    bytes: number | null
    width: number | null
    height: number | null
    durationMs: number | null
    missing: ('images' | 'frames' | 'canvas' | 'video' | 'styles' | 'parts')[]
    waveform: number[] | null
    url: string | null
    playbackUrl: string | null
    posterUrl: string | null
    annotation: { of: string; byName: string | null } | null
    createdAt: string
  }[]
}

export interface RelatedItem {
  id: string
  number: number
  type: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  status: 'new' | 'open' | 'in_progress' | 'resolved' | 'closed'
  location: 'inbox' | 'snoozed' | 'archived' | 'spam' | 'trash' | 'merged'
  excerpt: string
  visitorName: string | null
  visitorEmail: string | null
  createdAt: string
}

export interface FeedbackEvent {
  id: string
  field: string
  from: string | null
  to: string | null
  actorName: string | null
  createdAt: string
}

export interface FeedbackComment {
  id: string
  kind: 'note' | 'reply'
  text: string
  itemNumber: number | null
  fromVisitor: boolean
  solved: boolean | null
  mentions: { userId: string; name: string | null }[]
  delivery: 'no_address' | 'waiting' | 'sent' | 'failed' | null
  authorName: string | null
  createdAt: string
}

export interface Receipt {
  id: string
  number: number
}

export interface NewFeedback {
  type: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  message: string
  rating?: number
  nps?: number
  fields?: Record<string, string | boolean>
  consent?: boolean
  visitor?: { id?: string; email?: string; name?: string }
  page?: { url: string; title?: string }
  tags?: string[]
  context?: Record<string, unknown>
  metadata?: Record<string, unknown>
  attachments?: {
    id: string
    kind: 'screenshot' | 'voice' | 'screen' | 'file' | 'replay'
    name?: string
    durationMs?: number
    missing?: ('images' | 'frames' | 'canvas' | 'video' | 'styles' | 'parts')[]
  }[]
}

export interface FeedbackChangeEvent {
  id: string
  name: string
  feedbackIds: string[]
  occurredAt: string
}

export interface Export {
  id: string
  format: 'csv' | 'xlsx' | 'json' | 'zip'
  selection: {
    status?: ('new' | 'open' | 'in_progress' | 'resolved' | 'closed')[]
    priority?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    type?: ('bug' | 'idea' | 'question' | 'praise' | 'other')[]
    source?: ('widget' | 'api' | 'link' | 'import' | 'manual' | 'test')[]
    media?: ('text' | 'rating' | 'screenshot' | 'voice' | 'screen' | 'file' | 'replay')[]
    rating?: number[]
    tag?: string[]
    assignee?: (string | 'none')[]
    unanswered?: true
    visitor?: string
    from?: string
    to?: string
    location?: 'inbox' | 'snoozed' | 'archived' | 'spam' | 'trash' | 'merged'
    q?: string
  }
  state: 'queued' | 'running' | 'ready' | 'failed'
  count: number | null
  processed: number
  bytes: number | null
  note: string | null
  createdAt: string
  expiresAt: string
}

export interface VisitorListItem {
  key: string
  visitorId: string | null
  email: string | null
  name: string | null
  isVerified: boolean
  firstSeenAt: string
  lastSeenAt: string
  items: number
  openItems: number
  unansweredItems: number
  lastRating: number | null
}

export interface Visitor {
  key: string
  visitorIds: string[]
  emails: string[]
  names: string[]
  isVerified: boolean
  firstSeenAt: string
  lastSeenAt: string
  total: number
  limit: number
  locations: Record<string, number>
  files: number
  pages: { value: string; count: number }[]
  userAgents: { value: string; count: number }[]
}

export interface Operations {
  /** Write an internal note, or a reply that is emailed to the visitor. */
  addComment(
    input: { feedbackId: string } & { kind: 'note' | 'reply'; text: string },
    options?: { signal?: AbortSignal; idempotencyKey?: string },
  ): Promise<FeedbackComment>
  /** Change many items alike; those that do not exist are passed over. */
  changeMany(
    input: {
      ids: string[]
      change: {
        status?: 'new' | 'open' | 'in_progress' | 'resolved' | 'closed'
        closedReason?: 'wont_fix' | 'duplicate' | 'not_reproducible'
        priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent'
        assigneeId?: string | null
        addTags?: string[]
        removeTags?: string[]
        archived?: boolean
        snoozedUntil?: string | null
        spam?: boolean
        deleted?: boolean
      }
    },
    options?: { signal?: AbortSignal; idempotencyKey?: string },
  ): Promise<{ found: number; changed: number }>
  /** Write all items that match into a file, which is kept for 7 days. */
  createExport(
    input: {
      format: 'csv' | 'xlsx' | 'json' | 'zip'
      selection?: {
        status?: ('new' | 'open' | 'in_progress' | 'resolved' | 'closed')[]
        priority?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
        type?: ('bug' | 'idea' | 'question' | 'praise' | 'other')[]
        source?: ('widget' | 'api' | 'link' | 'import' | 'manual' | 'test')[]
        media?: ('text' | 'rating' | 'screenshot' | 'voice' | 'screen' | 'file' | 'replay')[]
        rating?: number[]
        tag?: string[]
        assignee?: (string | 'none')[]
        unanswered?: true
        visitor?: string
        from?: string
        to?: string
        location?: 'inbox' | 'snoozed' | 'archived' | 'spam' | 'trash' | 'merged'
        q?: string
      }
    },
    options?: { signal?: AbortSignal; idempotencyKey?: string },
  ): Promise<Export>
  /** Create an item. */
  createFeedback(input: NewFeedback, options?: { signal?: AbortSignal; idempotencyKey?: string }): Promise<Receipt>
  /** Permanently delete what the project has of a visitor: their items with comments and files, and files of exports and waiting imports of this project that contain them. 202: a job has begun. Safe to repeat: 204 when nothing is left. Other projects keep theirs. */
  eraseVisitor(
    input: { key: string },
    options?: { signal?: AbortSignal },
  ): Promise<{
    id: string
    state: 'running' | 'done'
    total: number
    items: number
    files: number
    createdAt: string
    finishedAt: string | null
  }>
  /** Read how far an export is; its file can be fetched in the state `ready`. */
  getExport(input: { exportId: string }, options?: { signal?: AbortSignal }): Promise<Export>
  /** Fetch the file of an export. */
  getExportFile(input: { exportId: string }, options?: { signal?: AbortSignal }): Promise<Response>
  /** Read an item with its conversation and history; the answer’s ETag is its version. */
  getFeedback(input: { feedbackId: string }, options?: { signal?: AbortSignal }): Promise<FeedbackDetail>
  /** Read the project that the key belongs to. */
  getProject(input?: Record<string, never>, options?: { signal?: AbortSignal }): Promise<Project>
  /** Read what the project’s items tell of a visitor, and those items, newest first. */
  getVisitor(
    input: { key: string } & { cursor?: string; limit?: number },
    options?: { signal?: AbortSignal },
  ): Promise<{ visitor: Visitor; items: FeedbackListItem[]; nextCursor: string | null }>
  /** List what happened to the project’s items since a cursor, oldest first; kept for 30 days. */
  listEvents(
    input?: { cursor?: string; limit?: number },
    options?: { signal?: AbortSignal },
  ): Promise<{ items: FeedbackChangeEvent[]; nextCursor: string }>
  /** List feedback of the project, newest first unless asked otherwise. */
  listFeedback(
    input?: {
      status?: ('new' | 'open' | 'in_progress' | 'resolved' | 'closed')[]
      priority?: ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
      type?: ('bug' | 'idea' | 'question' | 'praise' | 'other')[]
      source?: ('widget' | 'api' | 'link' | 'import' | 'manual' | 'test')[]
      media?: ('text' | 'rating' | 'screenshot' | 'voice' | 'screen' | 'file' | 'replay')[]
      rating?: number[]
      tag?: string[]
      assignee?: (string | 'none')[]
      unanswered?: true
      visitor?: string
      from?: string
      to?: string
      location?: 'inbox' | 'snoozed' | 'archived' | 'spam' | 'trash' | 'merged'
      q?: string
      sort?: 'newest' | 'oldest' | 'updated' | 'priority'
      cursor?: string
      limit?: number
    },
    options?: { signal?: AbortSignal },
  ): Promise<{ items: FeedbackListItem[]; nextCursor: string | null }>
  /** List visitors with an id or an address who gave feedback to the project, last seen first. */
  listVisitors(
    input?: { q?: string; cursor?: string; limit?: number },
    options?: { signal?: AbortSignal },
  ): Promise<{ items: VisitorListItem[]; nextCursor: string | null }>
  /** Change the given fields of an item. */
  updateFeedback(
    input: { feedbackId: string } & {
      status?: 'new' | 'open' | 'in_progress' | 'resolved' | 'closed'
      closedReason?: 'wont_fix' | 'duplicate' | 'not_reproducible'
      priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent'
      assigneeId?: string | null
      tags?: string[]
      archived?: boolean
      snoozedUntil?: string | null
      spam?: boolean
      deleted?: boolean
    },
    options?: { signal?: AbortSignal; ifVersion?: number },
  ): Promise<FeedbackDetail>
}

export const operations = {
  addComment: ['POST', '/api/v1/feedback/{feedbackId}/comments'],
  changeMany: ['POST', '/api/v1/feedback/bulk'],
  createExport: ['POST', '/api/v1/exports'],
  createFeedback: ['POST', '/api/v1/feedback'],
  eraseVisitor: ['DELETE', '/api/v1/visitors/{key}'],
  getExport: ['GET', '/api/v1/exports/{exportId}'],
  getExportFile: ['GET', '/api/v1/exports/{exportId}/file', 'file'],
  getFeedback: ['GET', '/api/v1/feedback/{feedbackId}'],
  getProject: ['GET', '/api/v1/project'],
  getVisitor: ['GET', '/api/v1/visitors/{key}'],
  listEvents: ['GET', '/api/v1/events'],
  listFeedback: ['GET', '/api/v1/feedback'],
  listVisitors: ['GET', '/api/v1/visitors'],
  updateFeedback: ['PATCH', '/api/v1/feedback/{feedbackId}'],
} as const
