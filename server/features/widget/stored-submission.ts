import { createHash } from 'node:crypto'
import type { Submission } from '#contract/widget.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { cleanJson, cleanText, isShallow, maxJsonDepth } from './visitor-text.ts'

const maxJsonBytes = 64 * 1024

/** A submission as it goes into the database, with the columns' names. */
export interface StoredSubmission {
  readonly organization_id: string
  readonly project_id: string
  readonly id: string
  readonly type: Submission['type']
  readonly source: 'widget' | 'test'
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
}

/**
 * Makes a submission fit for storing.
 *
 * @throws ProductError `validation_failed` for what cannot be stored: a blank message, JSON too deep or too large.
 */
export function toStoredSubmission(
  submission: Submission,
  project: { organizationId: string; projectId: string },
  source: 'widget' | 'test',
): StoredSubmission {
  const message = cleanText(submission.message).trim()
  if (message === '') throw refuse('message', 'must not be blank')
  return {
    organization_id: project.organizationId,
    project_id: project.projectId,
    id: submission.id.toLowerCase(),
    type: submission.type,
    source,
    message,
    rating: submission.rating ?? null,
    visitor_email: submission.email ?? null,
    visitor_name: submission.name === undefined ? null : cleanText(submission.name).trim() || null,
    page_url: submission.page.url,
    page_title: submission.page.title === undefined ? null : cleanText(submission.page.title).trim() || null,
    context: cleanRecord('context', submission.context),
    metadata: cleanRecord('metadata', submission.metadata),
    content_hash: hashContent(submission, project.projectId),
  }
}

function cleanRecord(field: 'context' | 'metadata', value: Record<string, unknown> | undefined): unknown {
  if (value === undefined) return {}
  if (!isShallow(value)) throw refuse(field, `must not nest deeper than ${maxJsonDepth} levels`)
  const cleaned = cleanJson(value)
  if (Buffer.byteLength(JSON.stringify(cleaned)) > maxJsonBytes) throw refuse(field, 'must not be larger than 64 kB')
  return cleaned
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

function refuse(field: string, message: string): ProductError {
  return new ProductError('validation_failed', { fields: [{ path: `body.${field}`, message }] })
}
