import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createExport, deleteExport, type ExportFormat, getExport, listExports } from '#contract/exports.ts'
import { actForExporter } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { sendStored } from '#server/platform/http/send-stored.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { ExportLinks } from './export-link.ts'
import { findExportFile } from './exports.queries.ts'
import type { Exports } from './exports.service.ts'

export interface ExportParts {
  readonly database: Database
  readonly storage: Storage
  readonly exports: Exports
  readonly links: ExportLinks
}

export function exportRoutes(app: FastifyInstance, parts: ExportParts): void {
  addRoute(app, createExport, async ({ params, body, caller }) => {
    const made = await parts.exports.create(caller.actor, params.organizationId, body)
    return made.isNew ? answer(201, made.export) : answer(200, made.export, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, listExports, async ({ params, caller }) =>
    answer(200, { items: await parts.exports.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, getExport, async ({ params, caller }) =>
    answer(200, await parts.exports.get(caller.actor, params.organizationId, params.exportId)),
  )

  addRoute(app, deleteExport, async ({ params, caller }) => {
    await parts.exports.remove(caller.actor, params.organizationId, params.exportId)
    return answer(204, null)
  })

  app.get('/x/:token', { schema: { hide: true }, helmet: false }, (request, reply) => sendExport(request, reply, parts))
}

const answerHeaders = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const types = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** Headers that name the file and its type. */
export function describeExportFile({ format, createdAt }: { format: ExportFormat; createdAt: Date }) {
  const name = `feedback-${createdAt.toISOString().slice(0, 10)}.${format}`
  return { 'content-disposition': `attachment; filename="${name}"`, 'content-type': types[format] }
}

/** Sends the file to whom its address was given to, if they may still see it; in parts where a browser resumes. */
async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, storage, links }: ExportParts,
): Promise<FastifyReply> {
  reply.headers(answerHeaders)
  // The route's path has this parameter.
  const link = links.read((request.params as { token: string }).token)
  if (!link) throw new ProductError('file_not_found')
  const { organizationId, exportId, userId } = link
  const file = await database.withTenant(actForExporter(userId, organizationId), (tx) =>
    findExportFile(tx, organizationId, exportId),
  )
  const stored = file && (await storage.stat(file.storageKey))
  if (!file || !stored) throw new ProductError('file_not_found')
  const etag = `"${file.storageKey.split('/')[1]}"`
  reply.headers({ etag, ...describeExportFile(file) })
  return sendStored(request, reply, storage, { key: file.storageKey, bytes: stored.bytes, etag, isDivisible: true })
}
