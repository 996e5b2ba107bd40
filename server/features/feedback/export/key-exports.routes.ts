import type { FastifyInstance } from 'fastify'
import type { Export } from '#contract/exports.ts'
import { apiCreateExport, apiGetExport, apiGetExportFile, type KeyExport } from '#contract/public-exports.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { chooseId } from '#server/platform/idempotency/answer-once.ts'
import { FileMissingError } from '#server/platform/storage/storage.ts'
import { findExportFile } from './exports.queries.ts'
import { describeExportFile, type ExportParts } from './exports.routes.ts'

type KeyExportParts = Omit<ExportParts, 'links'>

/** Exports for programs: as a member's, with the items that an API key reaches. */
export function keyExportRoutes(app: FastifyInstance, { database, storage, exports }: KeyExportParts): void {
  addRoute(app, apiCreateExport, async ({ body: { format, selection }, caller, request }) => {
    const asked = { id: chooseId(request, caller), format, selection: { ...selection, projectId: [caller.projectId] } }
    const made = await exports.create(caller.actor, caller.organizationId, asked)
    return answer(201, toKeyExport(made.export), { location: `/api/v1/exports/${made.export.id}` })
  })

  addRoute(app, apiGetExport, async ({ params, caller }) =>
    answer(200, toKeyExport(await exports.get(caller.actor, caller.organizationId, params.exportId))),
  )

  addRoute(app, apiGetExportFile, async ({ params: { exportId }, caller: { actor, organizationId } }) => {
    await exports.get(actor, organizationId, exportId)
    const file = await database.withTenant(actor, (tx) => findExportFile(tx, organizationId, exportId))
    const stored = file && (await storage.stat(file.storageKey))
    if (!file || !stored) throw new ProductError('file_not_found')
    const bytes = await storage.read(file.storageKey).catch((error: unknown) => {
      throw error instanceof FileMissingError ? new ProductError('file_not_found') : error
    })
    // A stream is sent as it is; the contract can only call it text.
    return answer(200, bytes as unknown as string, {
      ...describeExportFile(file),
      'content-length': String(stored.bytes),
    })
  })
}

/** Without what the key already knows: its project. */
function toKeyExport({ selection, ...made }: Export): KeyExport {
  const { projectId: _, unread: __, ...own } = selection
  return { ...made, selection: own }
}
