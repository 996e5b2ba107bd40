import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { noteRefusal, type Refusal } from './full-quotas.queries.ts'

/** Notes quotas that refuse files, so that owners are told. */
export interface FullQuotas {
  /** Call for each refused file. Writes at most once a minute for each quota, so that a flood of files costs nothing. */
  note(refusal: Refusal): Promise<void>
}

const noteAgainAfterMs = 60_000
const maxRemembered = 1_000

export function createFullQuotas(database: Database): FullQuotas {
  const notedAt = new Map<string, number>()
  return {
    note: async (refusal) => {
      const { organizationId, projectId } = refusal
      const name = projectId ?? organizationId
      const now = performance.now()
      if (now - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < noteAgainAfterMs) return
      if (notedAt.size >= maxRemembered) notedAt.clear()
      notedAt.set(name, now)
      await database.asSystem('a visitor’s file is refused, and owners are told', async (tx) => {
        if (!(await noteRefusal(tx, refusal))) return
        const payload = { scope: projectId === null ? 'organization' : 'project' } as const
        await recordEvent(tx, { organizationId, name: 'quota.files_full', ids: [name], payload, announced: 'never' })
      })
    },
  }
}
