import type { Receipt, Submission } from '#contract/widget.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createGroupCommit, GroupCommitFullError } from '#server/platform/group-commit/group-commit.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { judgeOrigin } from './origin.ts'
import { type StoredSubmission, toStoredSubmission } from './stored-submission.ts'
import { storeSubmissions, type Widget } from './widget.queries.ts'
import type { WidgetCache } from './widget-cache.ts'

/** A visitor let in: which widget, and whether somebody is only trying it out. */
export interface Visit {
  readonly widget: Widget
  readonly source: 'widget' | 'test'
}

export interface Ingest {
  /** @throws ProductError `widget_not_found`, `origin_not_allowed`. */
  admit(widgetKey: string, origin: string | undefined): Promise<Visit>
  /**
   * Stores a submission. Resolves only after it is committed; the same submission again gives the same receipt.
   *
   * @throws ProductError `validation_failed`, `id_reused`, `widget_not_found`, `unavailable`.
   */
  store(visit: Visit, submission: Submission): Promise<{ receipt: Receipt; isReplay: boolean }>
  /** Resolves when everything taken in is committed. */
  drain(): Promise<void>
}

const maxBatch = 500
// About 20 MB of submissions of ordinary size. Beyond that the database is not keeping up, and senders keep theirs.
const maxWaiting = 10_000

export function createIngest(database: Database, widgets: WidgetCache): Ingest {
  const commits = createGroupCommit({
    write: (batch: readonly StoredSubmission[]) => storeSubmissions(database, batch),
    maxBatch,
    maxWaiting,
    // While one write waits for the disk, the next is read and made ready; smaller ones would not pay for their commit.
    lanes: 2,
    worthALane: 20,
  })

  return {
    admit: async (widgetKey, origin) => {
      const widget = await widgets.find(widgetKey)
      if (!widget) throw new ProductError('widget_not_found')
      const verdict = judgeOrigin(origin, widget.domain)
      if (verdict === 'foreign') throw new ProductError('origin_not_allowed')
      return { widget, source: verdict === 'loopback' ? 'test' : 'widget' }
    },

    store: async ({ widget, source }, submission) => {
      const stored = toStoredSubmission(submission, widget, source)
      const result = await commits.submit(stored).catch((error: unknown) => {
        if (error instanceof GroupCommitFullError) throw new ProductError('unavailable', { retryAfterSeconds: 5 })
        throw error
      })
      switch (result.outcome) {
        case 'gone':
          throw new ProductError('widget_not_found')
        case 'reused':
          throw new ProductError('id_reused', {
            detail: 'A submission with this id and other content is stored already.',
          })
        default:
          return { receipt: { id: stored.id, number: result.number }, isReplay: result.outcome === 'replayed' }
      }
    },

    drain: () => commits.drain(),
  }
}
