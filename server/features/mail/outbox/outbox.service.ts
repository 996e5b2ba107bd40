import type { OutboxEmail, OutboxEmailDetail, OutboxFilters } from '#contract/superadmin-emails.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createDownloadableList } from '#server/platform/events/downloadable-list.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readTimeCursor, type TimePlace, writeTimeCursor } from '#server/platform/http/time-cursor.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import { countEmails, findEmail, listAttempts, listEmails, type OutboxRow } from './outbox.queries.ts'
import { retryEmail, retryFailed } from './retries.queries.ts'

const pageSize = 50
const retriedAtOnce = 1000
const reason = 'superadmins see the emails of all organisations'

export type Outbox = ReturnType<typeof createOutbox>

/** What superadmins read of the outbox, and send again. */
export function createOutbox(database: Database) {
  return {
    ...createDownloadableList(database, {
      name: 'Emails',
      file: 'emails',
      columns: ['time', 'kind', 'to', 'status', 'attempts', 'last_error', 'sent_at', 'failed_at', 'id'],
      pageSize,
      find: (filters: OutboxFilters, page: { after: TimePlace | undefined; limit: number }) =>
        database.asSystem(reason, (tx) => listEmails(tx, filters, page)),
      placeOf: ({ place, id }): TimePlace => ({ at: place, id }),
      readCursor: readTimeCursor,
      writeCursor: writeTimeCursor,
      toItem: toEmail,
      toCells,
    }),

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
  }
}

function toCells(email: OutboxEmail): Cell[] {
  const { createdAt, kind, to, status, attempts, lastError, sentAt, failedAt, id } = email
  return [createdAt, kind, to, status, attempts, lastError, sentAt, failedAt, id]
}

function toEmail({ place: _, createdAt, sentAt, failedAt, ...email }: OutboxRow): OutboxEmail {
  return {
    ...email,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
  }
}
