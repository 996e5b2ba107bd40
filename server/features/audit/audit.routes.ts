import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type AuditFormat, exportAudit, listAudit } from '#contract/audit.ts'
import { exportInstanceAudit, listInstanceAudit } from '#contract/superadmin-audit.ts'
import { downloadOptions } from '#server/platform/events/record-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Audit } from './audit.service.ts'

const types: Readonly<Record<AuditFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
}

export function auditRoutes(app: FastifyInstance, audit: Audit): void {
  addRoute(app, listAudit, async ({ params, query, caller }) =>
    answer(200, await audit.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, listInstanceAudit, async ({ query }) => answer(200, await audit.listInstance(query)))

  addRoute(
    app,
    exportAudit,
    async ({ params, body: { format, ...filters }, caller }) => {
      return sendFile(format, await audit.export(caller.actor, params.organizationId, filters, format))
    },
    downloadOptions,
  )

  addRoute(
    app,
    exportInstanceAudit,
    async ({ body: { format, ...filters } }) => sendFile(format, await audit.exportInstance(filters, format)),
    downloadOptions,
  )
}

function sendFile(format: AuditFormat, stream: Readable) {
  const name = `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`
  // A stream is sent as it is; the contract can only call it text.
  return answer(200, stream as unknown as string, {
    'content-type': types[format],
    'content-disposition': `attachment; filename="${name}"`,
  })
}
