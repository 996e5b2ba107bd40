import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { builtPassword, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
/** An email's link that confirms a sign-up, and one that sets a new password, from before read-only mode. */
let confirmation: string
let recovery: string
const member = { email: '' }

beforeAll(async () => {
  server = await startTestServer()
  const user = await createUser(server.client)
  member.email = user.email
  await post('/auth/v1/signup', { email: 'new@example.com', password: builtPassword })
  confirmation = await readLink('new@example.com')
  await post('/auth/v1/recover', { email: member.email })
  recovery = await readLink(member.email)
  await server.client.query(`insert into app.read_only_periods (message, turned_on_by) values ('Soon.', 'a test')`)
  await vi.waitFor(async () => expect(await (await server.call('/ready')).text()).toContain('read_only'))
})
afterAll(() => server?.stop())

const post = (path: string, body: object) => server.call(path, { body })
async function readLink(to: string): Promise<string> {
  const text = (await server.mails()).findLast((mail) => mail.to === to)?.text ?? ''
  return new URL(/\S+\/verify\S+/.exec(text)?.[0] ?? '').search
}
/** As the button of the link's page does. */
const press = (search: string) =>
  fetch(`${server.url}/auth/v1/verify/link${search}`, { method: 'POST', redirect: 'manual' })
const countAccounts = async () =>
  Number((await server.client.query('select count(*) from auth.users')).rows[0]?.count ?? 0)

describe('while the instance is read-only', () => {
  it('signs members in by password, and keeps them signed in', async () => {
    const reply = await post('/auth/v1/token?grant_type=password', { email: member.email, password: builtPassword })
    expect(reply.status).toBe(200)
    const { refresh_token, access_token } = (await reply.json()) as Record<string, string>
    expect((await post('/auth/v1/token?grant_type=refresh_token', { refresh_token })).status).toBe(200)
    expect((await server.call('/auth/v1/logout', { method: 'POST', token: access_token ?? '' })).status).toBe(204)
  })

  it('signs members in by emailed link', async () => {
    expect((await post('/auth/v1/otp', { email: member.email })).status).toBe(200)
    const reply = await press(await readLink(member.email))
    expect(reply.headers.get('location')).toContain('access_token=')
  })

  it('creates no account for an unknown address, and answers the same', async () => {
    const before = await countAccounts()
    expect((await post('/auth/v1/otp', { email: 'unknown@example.com' })).status).toBe(200)
    expect(await countAccounts()).toBe(before)
    const refused = await post('/auth/v1/signup', { email: 'more@example.com', password: builtPassword })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await refused.json()).toMatchObject({
      error_code: 'read_only',
      msg: 'Earshot is read-only for maintenance. Soon.',
    })
    expect(await countAccounts()).toBe(before)
  })

  it('leaves links alone that change an account, so that they work afterwards', async () => {
    for (const link of [confirmation, recovery]) {
      const location = (await press(link)).headers.get('location') ?? ''
      expect(location).toContain('error_code=read_only')
    }
    await server.client.query('update app.read_only_periods set ended_at = now()')
    await vi.waitFor(async () => expect(await (await server.call('/ready')).text()).not.toContain('read_only'))
    expect((await press(confirmation)).headers.get('location')).toContain('access_token=')
  })
})
