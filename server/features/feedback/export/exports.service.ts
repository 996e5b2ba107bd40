import { isDeepStrictEqual } from 'node:util'
import { type Export, maxOpenExports, type NewExport } from '#contract/exports.ts'
import { type Actor, isKey } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Quotas } from '../../quotas/quotas.service.ts'
import type { ExportLinks } from './export-link.ts'
import {
  deleteExport,
  type ExportRecord,
  findAskedExport,
  findExport,
  insertExport,
  listExports,
} from './exports.queries.ts'

export interface Exports {
  /** @throws ProductError `id_reused`, `too_many_exports`, `export_quota_reached`, `disk_nearly_full`. */
  create(actor: Actor, organizationId: string, asked: NewExport): Promise<{ export: Export; isNew: boolean }>
  list(actor: Actor, organizationId: string): Promise<Export[]>
  /** @throws ProductError `export_not_found`. */
  get(actor: Actor, organizationId: string, id: string): Promise<Export>
  /** @throws ProductError `export_not_found`. */
  remove(actor: Actor, organizationId: string, id: string): Promise<void>
}

export function createExports(database: Database, links: ExportLinks, quotas: Pick<Quotas, 'require'>): Exports {
  const withAddress = (actor: Actor, organizationId: string, record: ExportRecord): Export => {
    const link = { organizationId, exportId: record.id, userId: actor.userId }
    return { ...record, downloadUrl: record.state === 'ready' ? links.make(link) : null }
  }

  return {
    create: async (actor, organizationId, { id: givenId, format, selection }) => {
      const asked = {
        organizationId,
        id: givenId.toLowerCase(),
        createdBy: actor.userId,
        isByKey: isKey(actor),
        format,
        selection,
      }
      // A retry of what was begun before takes no more room.
      const known = await database.withTenant(actor, (tx) => findAskedExport(tx, asked))
      if (!known) await quotas.require({ kind: 'export', organizationId })
      return database.withTenant(actor, async (tx) => {
        const outcome = await insertExport(tx, asked, maxOpenExports)
        if (outcome === 'full') throw new ProductError('too_many_exports')
        if (outcome === 'inserted') {
          const event = { organizationId, name: 'export.requested', ids: [asked.id], payload: { format } } as const
          await recordEvent(tx, { ...event, announced: 'never' })
        }
        const stored = await findAskedExport(tx, asked)
        const isSame = stored && stored.format === format && isDeepStrictEqual(stored.selection, selection)
        const record = isSame ? await findExport(tx, organizationId, asked.id) : undefined
        if (!record) throw new ProductError('id_reused')
        return { export: withAddress(actor, organizationId, record), isNew: outcome === 'inserted' }
      })
    },

    list: (actor, organizationId) =>
      database.withTenant(actor, async (tx) =>
        (await listExports(tx, organizationId)).map((record) => withAddress(actor, organizationId, record)),
      ),

    get: (actor, organizationId, id) =>
      database.withTenant(actor, async (tx) => {
        const record = await findExport(tx, organizationId, id)
        if (!record) throw new ProductError('export_not_found')
        return withAddress(actor, organizationId, record)
      }),

    remove: (actor, organizationId, id) =>
      database.withTenant(actor, async (tx) => {
        if (!(await deleteExport(tx, organizationId, id))) throw new ProductError('export_not_found')
      }),
  }
}
