import { createHash } from 'node:crypto'
import type { AttachmentKind, PictureGap } from '#contract/files.ts'
import type { Submission } from '#contract/widget.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { cleanJson, cleanLine, cleanText, isShallow, maxJsonDepth } from '#server/platform/text/clean-text.ts'
import { withoutCredentials, withoutUrlCredentials } from '#server/platform/text/without-credentials.ts'

const maxJsonBytes = 64 * 1024

/** A submission as it goes into the database, with the columns' names. */
export interface StoredSubmission {
  readonly organization_id: string
  readonly project_id: string
  readonly id: string
  readonly type: Submission['type']
  readonly source: 'widget' | 'test' | 'api'
  readonly message: string
  readonly rating: number | null
  readonly visitor_email: string | null
  readonly visitor_name: string | null
  readonly page_url: string
  readonly page_title: string | null
  readonly context: unknown
  readonly metadata: unknown
  /** SHA-256 of what was sent, as PostgreSQL writes bytes. */
  readonly content_hash: string
  /** Answers to the project's own questions, as text to search by. */
  readonly answers: string
  readonly nps: number | null
  readonly fields: Readonly<Record<string, string | boolean>>
  readonly consent: boolean | null
  readonly tags: readonly string[]
  readonly visitor_id: string | null
  readonly visitor_verified: boolean
  /** SHA-256 of the browser's secret, as PostgreSQL writes bytes. */
  readonly visitor_key_hash: string | null
  readonly spam_reason: string | null
  readonly attachments: readonly StoredAttachment[] | null
}

interface StoredAttachment {
  readonly id: string
  readonly kind: AttachmentKind
  readonly name: string | null
  readonly duration_ms: number | null
  readonly missing: readonly PictureGap[] | null
}

/** What the server found out about a submission beside its content. */
export interface Judgement {
  readonly source: 'widget' | 'test' | 'api'
  readonly visitorVerified: boolean
  /** Why it goes into quarantine; null: it does not. */
  readonly spamReason: string | null
}

/**
 * Makes a submission fit for storing.
 *
 * @throws ProductError `validation_failed` for what cannot be stored: nothing said at all, JSON too deep or too large.
 */
export function toStoredSubmission(
  submission: Submission,
  project: { organizationId: string; projectId: string },
  { source, visitorVerified, spamReason }: Judgement,
): StoredSubmission {
  const message = cleanText(submission.message).trim()
  const fields = cleanAnswers(submission.fields)
  if (message === '' && !saysSomething(submission, fields)) throw invalid('body.message', 'must not be blank')
  const { attachments, visitorKey } = submission
  return {
    organization_id: project.organizationId,
    project_id: project.projectId,
    id: submission.id.toLowerCase(),
    type: submission.type,
    source,
    message,
    rating: submission.rating ?? null,
    visitor_email: submission.email ?? null,
    visitor_name: submission.name === undefined ? null : cleanLine(submission.name) || null,
    page_url: withoutUrlCredentials(submission.page.url),
    page_title: submission.page.title === undefined ? null : cleanLine(submission.page.title) || null,
    context: cleanRecord('context', submission.context),
    metadata: cleanRecord('metadata', submission.metadata),
    content_hash: hashContent(submission, project.projectId),
    answers: Object.values(fields)
      .filter((answer) => typeof answer === 'string')
      .map((answer) => ` ${answer}`)
      .join(''),
    nps: submission.nps ?? null,
    fields,
    consent: submission.consent ?? null,
    tags: [...new Set(submission.tags?.map((tag) => cleanLine(tag)).filter((tag) => tag !== ''))],
    visitor_id: submission.visitor ? cleanLine(submission.visitor.id) || null : null,
    visitor_verified: visitorVerified,
    visitor_key_hash: visitorKey === undefined ? null : hashVisitorKey(visitorKey),
    spam_reason: spamReason,
    attachments:
      attachments?.map(({ id, kind, name, durationMs, missing }) => ({
        id: id.toLowerCase(),
        kind,
        name: name === undefined ? null : cleanLine(name) || null,
        duration_ms: durationMs ?? null,
        missing: missing ?? null,
      })) ?? null,
  }
}

/** SHA-256 of a browser's secret, as PostgreSQL writes bytes. */
export function hashVisitorKey(key: string): string {
  return `\\x${createHash('sha256').update(key).digest('hex')}`
}

/** An empty message needs a rating, NPS score, attachment or answer. */
function saysSomething(submission: Submission, fields: Record<string, string | boolean>): boolean {
  return (
    submission.rating !== undefined ||
    submission.nps !== undefined ||
    (submission.attachments?.length ?? 0) > 0 ||
    Object.values(fields).some((answer) => typeof answer === 'string')
  )
}

/** Answers without those that are blank. */
function cleanAnswers(answers: Submission['fields'] = {}): Record<string, string | boolean> {
  const cleaned = Object.entries(answers).map(([id, answer]): [string, string | boolean] => [
    cleanText(id),
    typeof answer === 'string' ? cleanText(answer).trim() : answer,
  ])
  return Object.fromEntries(cleaned.filter(([, answer]) => answer !== ''))
}

function cleanRecord(field: 'context' | 'metadata', value: Record<string, unknown> | undefined): unknown {
  if (value === undefined) return {}
  if (!isShallow(value)) throw invalid(`body.${field}`, `must not nest deeper than ${maxJsonDepth} levels`)
  const cleaned = cleanJson(value)
  const json = JSON.stringify(cleaned)
  if (Buffer.byteLength(json) > maxJsonBytes) throw invalid(`body.${field}`, 'must not be larger than 64 kB')
  // What the widget collected contains addresses; the site's own metadata is stored as it is.
  const bare = field === 'context' ? withoutCredentials(json) : json
  return bare === json ? cleaned : JSON.parse(bare)
}

// The same content in another order of keys is the same content. The project belongs to it: an id may not be used
// for two projects of one organisation.
function hashContent(submission: Submission, projectId: string): string {
  const { id: _, ...content } = submission
  return `\\x${createHash('sha256').update(projectId).update(toCanonicalJson(content)).digest('hex')}`
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
