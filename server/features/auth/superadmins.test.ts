import { describe, expect, it } from 'vitest'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

async function withServer(env: Record<string, string>, work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer(env)
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}

async function listSuperadmins({ client }: TestServer): Promise<string[]> {
  const { rows } = await client.query<{ email: string }>(
    'select u.email from app.superadmins s join auth.users u on u.id = s.user_id order by 1',
  )
  return rows.map(({ email }) => email)
}

describe('superadmins', () => {
  it('are only those of SUPERADMIN_EMAILS where it is set, in any order', async () => {
    await withServer({ SUPERADMIN_EMAILS: 'Root@example.com, second@example.com' }, async (server) => {
      await createUser(server.client, { email: 'stranger@example.com' })
      expect(await listSuperadmins(server)).toEqual([])
      await createUser(server.client, { email: 'second@example.com' })
      await createUser(server.client, { email: 'root@example.com' })
      expect(await listSuperadmins(server)).toEqual(['root@example.com', 'second@example.com'])
      // As a start without the setting does: the chance of the first user is gone.
      await server.client.query(`update app.instance_settings set superadmin_emails = '{}'`)
      await createUser(server.client, { email: 'late@example.com' })
      expect(await listSuperadmins(server)).toEqual(['root@example.com', 'second@example.com'])
    })
  })

  it('are the first confirmed user where it is not set', async () => {
    await withServer({}, async (server) => {
      await createUser(server.client, { email: 'first@example.com' })
      await createUser(server.client, { email: 'next@example.com' })
      expect(await listSuperadmins(server)).toEqual(['first@example.com'])
    })
  })
})
