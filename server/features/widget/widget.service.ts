import type { Receipt, Submission } from '#contract/widget.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { DispatchRequests } from '#server/platform/events/dispatch-requests.ts'
import { createGroupCommit } from '#server/platform/group-commit/group-commit.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Yielding } from '#server/platform/yielding/yielding.ts'
import { judgeSubmission, proofScore, spamScore } from './abuse/judge.ts'
import type { ProofOfWork } from './abuse/proof-of-work.ts'
import type { RecentWords } from './abuse/recent-words.ts'
import type { IdentityKeys } from './identity.ts'
import { judgeOrigin } from './origin.ts'
import { type StoredSubmission, toStoredSubmission } from './stored-submission.ts'
import { storeSubmissions, type Widget } from './widget.queries.ts'
import type { WidgetCache } from './widget-cache.ts'

/** An accepted visitor: the widget, and whether the submission is a test. */
export interface Visit {
  readonly widget: Widget
  readonly source: 'widget' | 'test'
}

/** Who sends, as far as the request shows it. */
export interface Sender {
  /** Widget key and address: what limits and calculations are counted by. */
  readonly key: string
  readonly hasOrigin: boolean
  readonly userAgent: string
  /** How much of what it may send in a minute is used up, 0 to 1. */
  readonly spentShare: number
  /** The solved calculation, where one was asked for. */
  readonly proof: string | undefined
}

/**
 * Who is let in may still look at what they sent; new feedback and files are for projects that take them.
 *
 * @throws ProductError `project_archived`.
 */
export function requireOpen({ widget }: Visit): void {
  if (widget.isArchived) throw new ProductError('project_archived')
}

export interface Ingest {
  /** @throws ProductError `widget_not_found`, `origin_not_allowed`. */
  admit(widgetKey: string, origin: string | undefined): Promise<Visit>
  /**
   * Stores a submission. Resolves only after it is committed; the same submission again gives the same receipt.
   *
   * @throws ProductError `validation_failed`, `id_reused`, `proof_required`, `widget_not_found`.
   */
  store(visit: Visit, submission: Submission, sender: Sender): Promise<{ receipt: Receipt; isReplay: boolean }>
  /**
   * Stores what a program sent with the project's API key. It is no visitor: nothing is judged, and its visitor's id counts
   * as verified. The same submission again gives the same receipt.
   *
   * @throws ProductError `validation_failed`, `id_reused`, `project_not_found`.
   */
  storeFromApi(project: { organizationId: string; projectId: string }, submission: Submission): Promise<Receipt>
  /** Resolves when everything taken in is committed. */
  drain(): Promise<void>
}

export interface IngestParts {
  readonly database: Database
  readonly widgets: WidgetCache
  readonly identityKeys: IdentityKeys
  readonly proofs: ProofOfWork
  readonly recentWords: RecentWords
  readonly appUrl: string
  readonly yielding: Pick<Yielding, 'noteCrowd'>
  readonly dispatch: Pick<DispatchRequests, 'request'>
}

const maxBatch = 500
/** Submissions that wait for one write under full load. */
const crowd = 20
/**
 * Submissions that wait while one write is under way: below this, a second beside it would not pay for what each write costs, three
 * milliseconds of the database.
 */
const worthALane = 100
// About 0.1 s of a phone's time; each point of suspicion doubles it.
const leastDifficulty = 14

export function createIngest(parts: IngestParts): Ingest {
  const { database, widgets, identityKeys, proofs, recentWords, appUrl, yielding, dispatch } = parts
  const appOrigin = new URL(appUrl).origin
  const commits = createGroupCommit({
    write: async (batch: readonly StoredSubmission[]) => {
      if (batch.length >= crowd) yielding.noteCrowd()
      const results = await storeSubmissions(database, batch)
      dispatch.request()
      return results
    },
    maxBatch,
    // While one write waits for the disk, the next is read and made ready.
    lanes: 2,
    worthALane,
  })

  async function commit(stored: StoredSubmission, gone: 'widget_not_found' | 'project_not_found') {
    const result = await commits.submit(stored)
    switch (result.outcome) {
      case 'gone':
        throw new ProductError(gone)
      case 'reused':
        throw new ProductError('id_reused', {
          detail: 'A submission with this id and other content is stored already.',
        })
      default:
        return { receipt: { id: stored.id, number: result.number }, isReplay: result.outcome === 'replayed' }
    }
  }

  /** Why a submission goes into quarantine; null: it does not. What only looks odd has to do a calculation first. */
  function findSpamReason({ widget, source }: Visit, submission: Submission, sender: Sender): string | null {
    // Who tries things out sends quickly, and the same again.
    const isTest = source === 'test'
    const { score, reason } = judgeSubmission(
      isTest ? { ...submission, guard: { ...submission.guard, elapsedMs: 60_000 } } : submission,
      { ...sender, repeats: isTest ? 0 : recentWords.note(widget.projectId, submission.message, submission.id) },
    )
    if (score >= spamScore) return reason
    const purpose = `${sender.key} ${submission.id.toLowerCase()}`
    if (score >= proofScore && !proofs.check(sender.proof ?? '', purpose)) {
      throw new ProductError('proof_required', { proof: proofs.ask(purpose, leastDifficulty + score - proofScore) })
    }
    return null
  }

  return {
    admit: async (widgetKey, origin) => {
      const widget = await widgets.find(widgetKey)
      if (!widget) throw new ProductError('widget_not_found')
      const verdict = judgeOrigin(origin, [widget.domain, ...widget.extraOrigins], appOrigin)
      if (verdict === 'foreign') throw new ProductError('origin_not_allowed')
      return { widget, source: verdict === 'loopback' ? 'test' : 'widget' }
    },

    store: async (visit, submission, sender) => {
      const { widget, source } = visit
      const { visitor } = submission
      const stored = toStoredSubmission(submission, widget, {
        source,
        visitorVerified: visitor?.hash !== undefined && identityKeys.verify(widget, visitor.id, visitor.hash),
        spamReason: findSpamReason(visit, submission, sender),
      })
      return commit(stored, 'widget_not_found')
    },

    storeFromApi: async (project, submission) => {
      const judgement = { source: 'api', visitorVerified: submission.visitor !== undefined, spamReason: null } as const
      const { receipt } = await commit(toStoredSubmission(submission, project, judgement), 'project_not_found')
      return receipt
    },

    drain: () => commits.drain(),
  }
}
