import { Readable } from 'node:stream'
import type { OutboxEmail, OutboxEmailDetail, OutboxFilters } from '#contract/superadmin-emails.ts'
import type { Database } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { recordDownload } from '#server/platform/events/record-download.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import { countEmails, findEmail, listAttempts, listEmails, type OutboxRow } from './outbox.queries.ts'
import { type Place, readPlace, writePlace } from './place.ts'
import { retryEmail, retryFailed } from './retries.queries.ts'

const pageSize = 50
const rowsAtATime = 500
const retriedAtOnce = 1000
const reason = 'superadmins see the emails of all organisations'

export type Outbox = ReturnType<typeof createOutbox>

/** What superadmins read of the outbox, and send again. */
export function createOutbox(database: Database) {
  async function readPage(filters: OutboxFilters, after: Place | undefined, limit: number) {
    // One more than a page: whether there is a next.
    const found = await database.asSystem(reason, (tx) => listEmails(tx, filters, { after, limit: limit + 1 }))
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { emails: page.map(toEmail), next: last && { at: last.place, id: last.id } }
  }

  async function* readRows(filters: OutboxFilters): AsyncGenerator<Cell[]> {
    yield ['time', 'kind', 'to', 'status', 'attempts', 'last_error', 'sent_at', 'failed_at', 'id']
    let after: Place | undefined
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
      const { emails, next } = await readPage(filters, cursor === undefined ? undefined : readPlace(cursor), limit)
      return { items: emails, nextCursor: next ? writePlace(next) : null }
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

    /** @throws ProductError `email_not_found`. */
    get: (id: string): Promise<OutboxEmailDetail> =>
      database.asSystem(reason, async (tx) => {
        const email = await findEmail(tx, id)
        if (!email) throw new ProductError('email_not_found')
        const attempts = await listAttempts(tx, id)
        return { ...toEmail(email), history: attempts.map((each) => ({ ...each, at: each.at.toISOString() })) }
      }),

    /** @throws ProductError `email_not_found`, `email_not_retryable`. */
    retry: (id: string): Promise<void> =>
      database.asSystem(reason, async (tx) => {
        const targetName = await retryEmail(tx, id)
        if (targetName === undefined) {
          throw new ProductError((await findEmail(tx, id)) ? 'email_not_retryable' : 'email_not_found')
        }
        await writeInstanceEntry(tx, {
          action: 'email.retried',
          targetType: 'email',
          targetId: id,
          targetName,
          after: {},
        })
      }),

    /** @returns how many. */
    retryFailed: (): Promise<number> =>
      database.asSystem(reason, async (tx) => {
        const retried = await retryFailed(tx, retriedAtOnce)
        const entry = { action: 'email.all_retried', targetType: 'email', targetName: 'failed emails' }
        if (retried > 0) await writeInstanceEntry(tx, { ...entry, after: { retried } })
        return retried
      }),

    /** Notes the download, and begins it. */
    export: async (filters: OutboxFilters): Promise<Readable> => {
      await recordDownload(database, 'Emails', filters)
      return Readable.from(writeCsv(readRows(filters)))
    },
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
