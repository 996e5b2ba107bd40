import { Readable } from 'node:stream'
import type { OutboxEmail, OutboxFilters } from '#contract/superadmin-emails.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import { countEmails, listEmails, type OutboxPlace, type OutboxRow } from './outbox.queries.ts'

const pageSize = 50
const rowsAtATime = 500
const reason = 'superadmins see the emails of all organisations'

export type Outbox = ReturnType<typeof createOutbox>

/** What superadmins read of the outbox. */
export function createOutbox(database: Database) {
  async function readPage(filters: OutboxFilters, after: OutboxPlace | undefined, limit: number) {
    // One more than a page: whether there is a next.
    const found = await database.asSystem(reason, (tx) => listEmails(tx, filters, { after, limit: limit + 1 }))
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { emails: page.map(toEmail), next: last && { createdAt: last.place, id: last.id } }
  }

  async function* readRows(filters: OutboxFilters): AsyncGenerator<Cell[]> {
    yield ['time', 'kind', 'to', 'status', 'attempts', 'last_error', 'sent_at', 'failed_at', 'id']
    let after: OutboxPlace | undefined
    do {
      const { emails, next } = await readPage(filters, after, rowsAtATime)
      for (const { createdAt, kind, to, status, attempts, lastError, sentAt, failedAt, id } of emails) {
        yield [createdAt, kind, to, status, attempts, lastError, sentAt, failedAt, id]
      }
      after = next
    } while (after)
  }

  return {
    /** @throws ProductError `validation_failed` for a foreign cursor. */
    list: async ({ cursor, limit = pageSize, ...filters }: OutboxFilters & { cursor?: string; limit?: number }) => {
      const { emails, next } = await readPage(filters, cursor === undefined ? undefined : readCursor(cursor), limit)
      return { items: emails, nextCursor: next ? writeCursor(next) : null }
    },

    summarise: async () => {
      const counts = await database.asSystem(reason, countEmails)
      return {
        queued: counts?.queued ?? 0,
        day: { sent: counts?.sentDay ?? 0, failed: counts?.failedDay ?? 0 },
        fortnight: { sent: counts?.sentFortnight ?? 0, failed: counts?.failedFortnight ?? 0 },
        kinds: counts?.kinds ?? [],
      }
    },

    export: (filters: OutboxFilters): Readable => Readable.from(writeCsv(readRows(filters))),
  }
}

function toEmail({ place: _, createdAt, sentAt, failedAt, ...email }: OutboxRow): OutboxEmail {
  return {
    ...email,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
  }
}

const idLength = 36

function writeCursor({ createdAt, id }: OutboxPlace): string {
  return Buffer.from(`${id}${createdAt}`).toString('base64url')
}

function readCursor(cursor: string): OutboxPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, createdAt] = [text.slice(0, idLength), text.slice(idLength)]
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(createdAt)
  if (!isUuid(id) || !isTime || Number.isNaN(Date.parse(createdAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { createdAt, id }
}
