import { createHash } from 'node:crypto'
import type { Database } from '#server/platform/database/database.ts'
import { addSubjects, type ExportName } from './exports.queries.ts'

/** What names the visitor of an item. */
interface NamedItem {
  readonly visitorId: string | null
  readonly visitorEmail: string | null
}

/** How a visitor is named: by the site's id, or by an address. */
export type SubjectKind = 'id' | 'address'

/** The number that stands for a visitor in `app.export_subjects`. Text, because a bigint exceeds JavaScript's numbers. */
export function numberSubject(organizationId: string, kind: SubjectKind, value: string): string {
  const name = kind === 'id' ? value : value.toLowerCase()
  const hash = createHash('sha256').update(`${organizationId.toLowerCase()}\n${kind}\n${name}`).digest()
  return hash.readBigInt64BE(0).toString()
}

function numberItem(organizationId: string, { visitorId, visitorEmail }: NamedItem): string[] {
  return [
    ...(visitorId === null ? [] : [numberSubject(organizationId, 'id', visitorId)]),
    ...(visitorEmail ? [numberSubject(organizationId, 'address', visitorEmail)] : []),
  ]
}

const rowLength = 1_000
// Repeats beyond this many visitors are stored twice: cheaper than the memory of a whole list.
const rememberedSubjects = 50_000
const reason = 'an export’s list of visitors serves the erasure of a visitor alone; no member reads it'

/** Lists the visitors of an export while it is written. */
export interface SubjectList {
  add(item: NamedItem): Promise<void>
  /** Call before the export is complete: an export with an unfinished list would survive an erasure. */
  finish(): Promise<void>
}

/** @returns a list whose memory is bounded, however many visitors an export has. */
export function listSubjects(database: Database, name: ExportName): SubjectList {
  const known = new Set<string>()
  let waiting: string[] = []
  const store = async () => {
    const subjects = waiting
    waiting = []
    if (subjects.length > 0) await database.asSystem(reason, (tx) => addSubjects(tx, name, subjects))
  }
  return {
    add: async (item) => {
      if (known.size > rememberedSubjects) known.clear()
      for (const subject of numberItem(name.organizationId, item)) {
        if (known.has(subject)) continue
        known.add(subject)
        waiting.push(subject)
      }
      if (waiting.length >= rowLength) await store()
    },
    finish: store,
  }
}
