import { setTimeout as pause } from 'node:timers/promises'
import type { BenchTenant } from './tenant.ts'

/**
 * Reads the first page of the inbox at an even pace, without waiting for answers.
 *
 * @param options.warmUpMs time at the start that is not counted.
 */
export function readInbox(
  {
    server,
    organizationId,
    token,
  }: Pick<BenchTenant, 'organizationId' | 'token'> & { readonly server: { readonly url: string } },
  { perSecond, warmUpMs }: { perSecond: number; warmUpMs: number },
): { stop(): Promise<{ durationsMs: readonly number[]; failed: number }> } {
  const durationsMs: number[] = []
  let failed = 0
  const countFrom = performance.now() + warmUpMs
  const pending = new Set<Promise<void>>()
  const read = async () => {
    const startedAt = performance.now()
    const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/feedback`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await reply.arrayBuffer()
    if (startedAt < countFrom) return
    if (reply.ok) durationsMs.push(performance.now() - startedAt)
    else failed += 1
  }
  const timer = setInterval(() => {
    const one = read()
      .catch(() => {
        failed += 1
      })
      .finally(() => pending.delete(one))
    pending.add(one)
  }, 1000 / perSecond)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.race([Promise.all(pending), pause(30_000)])
      return { durationsMs, failed }
    },
  }
}
