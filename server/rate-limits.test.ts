import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from './features/api-keys/key-format.ts'
import { readAccessPage } from './testing/access-page.ts'
import { createApiKey, createProject, createUser } from './testing/builders.ts'
import { contracts } from './testing/contracts.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

/* Every operation that docs/access.md gives a rate is refused once the caller has none left. */
const lines = readAccessPage(readFileSync(join(import.meta.dirname, '../docs/access.md'), 'utf8'))
const guarded = contracts.filter(({ access }) => access.kind !== 'public')

let server: TestServer
let token: string
/** An API key of the organisation. */
let key: string
let organizationId: string
beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '1', API_KEY_RATE_PER_MINUTE: '1' })
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  key = createKey()
  const { id: projectId } = await createProject(server.client, { organizationId })
  await createApiKey(server.client, { organizationId, projectId, key })
})
afterAll(() => server.stop())

describe('a caller beyond API_RATE_PER_MINUTE or API_KEY_RATE_PER_MINUTE', () => {
  it.each(guarded)('gets 429 from $operationId', async ({ operationId, method, path, access }) => {
    const isForKeys = access.kind === 'api_key'
    const caller = isForKeys ? key : token
    // Takes what has come back since the test before.
    await server.call(isForKeys ? '/api/v1/project' : '/api/v1/account', { token: caller })
    const named = path.replace('{organizationId}', organizationId).replaceAll(/\{\w+\}/g, crypto.randomUUID())
    const reply = await server.call(named, { method, token: caller })
    const isLimited = lines.get(operationId)?.rate !== 'none'
    expect(reply.status === 429).toBe(isLimited)
    expect(reply.headers.get('retry-after') !== null).toBe(isLimited)
    await reply.body?.cancel()
  })

  it('does not hold up another', async () => {
    const other = await server.signIn(await createUser(server.client))
    expect((await server.call('/api/v1/account', { token: other })).status).toBe(200)
  })
})
