import { isDeepStrictEqual } from 'node:util'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import type { NamedLocks } from '#server/platform/locks/named-locks.ts'
import { requestFollowingOfClosed } from '../closing/closing.queries.ts'
import { settleStatus } from '../granted-plans/settle-status.ts'
import { compareMirrors, type MirrorEvents } from './compare-mirrors.ts'
import { beginRead, claimRead, type KnownPlan, readCatalogue, readMirror, writeMirror } from './mirror.queries.ts'
import type { Mirror } from './mirror.ts'
import type { Catalogue } from './read-stripe.ts'

export interface ConvergeParts {
  /** What Stripe says now of a customer; undefined: it was deleted. */
  readonly read: (customerId: string, catalogue: Catalogue) => Promise<Mirror | undefined>
  readonly database: Database
  readonly locks: NamedLocks
}

/** `none`: the organisation has no customer at Stripe. */
export type Convergence = 'changed' | 'unchanged' | 'none'

const reason = 'an organisation is made equal to its customer at Stripe'
const maxReads = 5

/**
 * Makes the mirror of an organisation, and with it its status and plan, equal to what Stripe says now. It does not matter
 * why or how often it is called: events, returns from a checkout and the nightly comparison all end here.
 *
 * @throws Stripe's errors; an organisation that is busy for 10 s: a LockBusyError.
 */
export async function converge(parts: ConvergeParts, organizationId: string): Promise<Convergence> {
  const release = await parts.locks.acquire(`billing ${organizationId}`, () => {})
  try {
    for (let reads = 0; reads < maxReads; reads += 1) {
      const outcome = await convergeOnce(parts, organizationId)
      // Another read was saved: this one may be older, or newer than it. Reading again settles it.
      if (outcome !== 'overtaken') return outcome
    }
    throw new Error(`the mirror of ${organizationId} was overwritten ${maxReads} times`)
  } finally {
    await release()
  }
}

async function convergeOnce(
  { read: readNow, database }: ConvergeParts,
  organizationId: string,
): Promise<Convergence | 'overtaken'> {
  const start = await database.asSystem(reason, async (tx) => {
    const begun = await beginRead(tx, organizationId)
    return begun && { ...begun, catalogue: await readCatalogue(tx) }
  })
  if (!start) return 'none'
  const { customerId, read, catalogue } = start
  // Outside of transactions: Stripe may take seconds.
  const found = await readNow(customerId, catalogue)
  return database.asSystem(reason, async (tx) => {
    if (!(await claimRead(tx, { organizationId, customerId, read }))) return 'overtaken'
    return saveMirror(tx, organizationId, { found, plans: catalogue.known })
  })
}

interface Finding {
  /** Undefined: the customer was deleted. */
  readonly found: Mirror | undefined
  readonly plans: ReadonlyMap<string, KnownPlan>
}

/** Writes what a read has found, and records what happened since the one before. */
async function saveMirror(tx: SystemTx, organizationId: string, { found, plans }: Finding): Promise<Convergence> {
  const before = await readMirror(tx, organizationId)
  const after = found ?? endAll(before)
  const isSame = isDeepStrictEqual(before, after)
  if (!isSame) {
    await writeMirror(tx, organizationId, after)
    await recordEvents(tx, organizationId, compareMirrors(before, after, plans))
  }
  const isStatusSame = !(await settleStatus(tx, organizationId))
  await requestFollowingOfClosed(tx, organizationId)
  return isSame && isStatusSame ? 'unchanged' : 'changed'
}

/** A deleted customer's subscriptions ended with it. Its payments are kept. */
function endAll({ subscriptions, ...rest }: Mirror): Mirror {
  return { ...rest, subscriptions: subscriptions.map((each) => ({ ...each, status: 'canceled', cancelAt: null })) }
}

async function recordEvents(tx: SystemTx, organizationId: string, happened: MirrorEvents): Promise<void> {
  for (const [name, payload] of Object.entries(happened)) {
    // Object.entries forgets that each name has its own payload; recordEvent checks it.
    await recordEvent(tx, { organizationId, name, ids: [organizationId], payload } as Parameters<typeof recordEvent>[1])
  }
}
