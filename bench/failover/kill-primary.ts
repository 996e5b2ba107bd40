import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from './load.ts'
import { type Cluster, findPostmaster, killPostgres, type Member } from './patroni.ts'

/** What ends: the whole machine, which its Patroni can't tell anyone, or PostgreSQL alone. */
export type KillKind = 'machine' | 'postmaster'

export interface KillResult {
  readonly kind: KillKind
  readonly from: string
  readonly to: string
  /** From the kill to the end of the longest time without an acknowledged submission. */
  readonly outageMs: number
  /** From the kill until another member had the leader lock. */
  readonly promotedMs: number
  /** From the kill until three members ran, one of them synchronous, including the restart of the killed machine. */
  readonly wholeMs: number
  /** WAL timeline after it. */
  readonly timeline: number
}

const promotionTimeoutMs = 60_000
/** After the new primary: how long acknowledgements are watched. */
const watchMs = 8_000

/** Kills the primary, waits until another serves, and then until the cluster is whole again. */
export async function killPrimary(cluster: Cluster, load: Load, kind: KillKind): Promise<KillResult> {
  const primary = await cluster.findPrimary()
  if (!primary) throw new Error('the cluster has no primary')
  const killedAt = performance.now()
  kill(primary, kind)
  const next = await awaitNext(cluster, primary, killedAt)
  const promotedMs = performance.now() - killedAt
  await awaitAcknowledgement(load, killedAt + promotedMs)
  await pause(watchMs)
  const outageMs = findOutage(load.acknowledgedAt, killedAt, performance.now())
  if (kind === 'machine') cluster.start(primary)
  await cluster.untilWhole()
  const wholeMs = performance.now() - killedAt
  const leader = (await cluster.read()).find(({ role }) => role === 'leader')
  return { kind, from: primary.name, to: next.name, outageMs, promotedMs, wholeMs, timeline: leader?.timeline ?? 0 }
}

function kill(member: Member, kind: KillKind): void {
  if (kind === 'machine') {
    member.patroni.child.kill('SIGKILL')
    killPostgres(member.dataDir)
    return
  }
  const postmaster = findPostmaster(member.dataDir)
  if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
}

async function awaitNext(cluster: Cluster, old: Member, since: number): Promise<Member> {
  for (; performance.now() - since < promotionTimeoutMs; await pause(100)) {
    const primary = await cluster.findPrimary()
    if (primary && primary.name !== old.name) return primary
  }
  throw new Error(`no other member was promoted: ${JSON.stringify(await cluster.read())}`)
}

async function awaitAcknowledgement({ acknowledgedAt }: Load, since: number): Promise<void> {
  for (const until = performance.now() + promotionTimeoutMs; performance.now() < until; await pause(50)) {
    if ((acknowledgedAt.at(-1) ?? 0) > since) return
  }
  throw new Error('nothing was acknowledged after the promotion')
}

/** The first acknowledgement after the kill may have been under way before it; so the longest gap counts, to its end. */
function findOutage(moments: readonly number[], killedAt: number, until: number): number {
  const after = moments.filter((moment) => moment > killedAt)
  let last = killedAt
  let longest = { ms: 0, end: killedAt }
  for (const moment of [...after, until]) {
    if (moment - last > longest.ms) longest = { ms: moment - last, end: moment }
    last = moment
  }
  return longest.end - killedAt
}
