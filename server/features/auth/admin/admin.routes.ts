import type { FastifyInstance } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { readClient } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readFlag, readJsonObject, readQuery } from '../protocol/request-body.ts'
import { requireServiceRole } from '../protocol/service-role.ts'
import { toUserJson } from '../protocol/user-json.ts'
import { readAccountInput, readUserId } from './account-input.ts'
import { createAccount, deleteAccount, getAccount, updateAccount } from './accounts.service.ts'
import { type Account, listAccounts, listAuditEntries } from './admin.queries.ts'
import { adminLinkRoutes } from './links.routes.ts'
import { describePage, readPage } from './paging.ts'

/** Admin routes for the operator's programs, on all accounts. Each needs a service-role key. */
export function adminRoutes(auth: FastifyInstance, parts: AuthParts): void {
  auth.register(async (app) => {
    // Before the body is read, so that unauthorised bodies cost nothing.
    app.addHook('onRequest', (request) => requireServiceRole(parts, request))
    accountRoutes(app, parts)
    adminLinkRoutes(app, parts)
    auditRoutes(app, parts)
  })
}

function accountRoutes(app: FastifyInstance, parts: AuthParts): void {
  const readInput = (body: unknown) => readAccountInput(readJsonObject(body), parts.settings.passwordMinLength)

  app.get('/admin/users', async (request, reply) => {
    const page = readPage(request.query)
    const filter = readQuery(request.query, 'filter')
    const direction = readDirection(readQuery(request.query, 'sort'))
    const { accounts, total } = await parts.database.asAuthAdmin('admin lists accounts', (tx) =>
      listAccounts(tx, { page, filter, direction }),
    )
    reply.headers(describePage(request.url, page, total))
    return { users: accounts.map(toJson), aud: 'authenticated' }
  })

  app.post('/admin/users', async (request) =>
    toJson(await createAccount(parts, await readInput(request.body), readClient(request))),
  )

  app.get('/admin/users/:userId', async (request) => toJson(await getAccount(parts, readUserId(request.params))))

  app.put('/admin/users/:userId', async (request) => {
    const userId = readUserId(request.params)
    // A missing account is reported before errors of the change.
    await getAccount(parts, userId)
    const input = await readInput(request.body)
    return toJson(await updateAccount(parts, { userId, input, client: readClient(request) }))
  })

  app.delete('/admin/users/:userId', async (request) => {
    const userId = readUserId(request.params)
    const isSoft = readFlag(readJsonObject(request.body), 'should_soft_delete', false)
    await deleteAccount(parts, { userId, isSoft, client: readClient(request) })
    return {}
  })
}

/** The fields of an entry that each search scope covers. */
const auditScopes: Readonly<Record<string, readonly string[]>> = {
  author: ['actor_username', 'actor_name'],
  action: ['action'],
  type: ['log_type'],
}

function auditRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.get('/admin/audit', async (request, reply) => {
    const page = readPage(request.query)
    const search = readAuditSearch(readQuery(request.query, 'query'))
    const { entries, total } = await parts.database.asAuthAdmin('admin reads the audit log', (tx) =>
      listAuditEntries(tx, { page, search }),
    )
    reply.headers(describePage(request.url, page, total))
    return entries
  })
}

function readAuditSearch(query: string): { fields: readonly string[]; text: string } | undefined {
  if (query === '') return undefined
  const [scope = '', ...rest] = query.split(':')
  const fields = Object.hasOwn(auditScopes, scope) ? auditScopes[scope] : undefined
  if (!fields || rest.length === 0) {
    throw new AuthError('validation_failed', { message: 'Invalid query scope: it must be author:, action: or type:' })
  }
  return { fields, text: rest.join(':') }
}

function readDirection(sort: string): 'asc' | 'desc' {
  const direction = /^(?:created_at(?: (asc|desc))?)?$/i.exec(sort)
  if (!direction)
    throw new AuthError('validation_failed', { message: 'Bad Sort Parameters: only created_at is sorted by' })
  return direction[1]?.toLowerCase() === 'asc' ? 'asc' : 'desc'
}

function toJson({ user, identities }: Account): Record<string, unknown> {
  return toUserJson(user, identities)
}
