import { GoTrueAdminApi } from '@supabase/auth-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAuthServer } from '#server/features/auth/auth.service.ts'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let admin: GoTrueAdminApi
let secretKey: string
beforeAll(async () => {
  server = await startAuthServer()
  secretKey = getAuthServer(server.auth).parts.keys.secretKey
  admin = openAdmin(server, secretKey)
})
afterAll(() => server?.stop())

function openAdmin({ url }: TestAuthServer, key: string): GoTrueAdminApi {
  return new GoTrueAdminApi({ url: `${url}/auth/v1`, headers: { apikey: key, Authorization: `Bearer ${key}` } })
}

describe('GET /admin/users', () => {
  it('pages through all accounts, newest first', async () => {
    const own = await startAuthServer()
    const key = getAuthServer(own.auth).parts.keys.secretKey
    const api = openAdmin(own, key)
    const none = await api.listUsers()
    expect(none.data).toMatchObject({ users: [], aud: 'authenticated', total: 0 })
    for (let n = 1; n <= 12; n += 1) {
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          api.createUser({ email: `n${n}-${i}@example.com`, user_metadata: { full_name: `Person ${n}_${i}` } }),
        ),
      )
    }
    const first = await api.listUsers()
    expect(first.data).toMatchObject({ total: 120, nextPage: 2, lastPage: 3 })
    expect(first.data.users).toHaveLength(50)
    const seen: string[] = []
    const times: string[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { data }: Awaited<ReturnType<typeof api.listUsers>> = await api.listUsers({ page, perPage: 25 })
      seen.push(...data.users.map(({ id }) => id))
      times.push(...data.users.map(({ created_at }) => created_at))
      page = 'nextPage' in data ? data.nextPage : null
    }
    expect(new Set(seen).size).toBe(120)
    expect(times).toEqual([...times].sort().reverse())

    const ask = (query: string) => own.send('GET', `/auth/v1/admin/users${query}`, { key })
    const last = await ask('?page=5&per_page=25')
    expect(last.headers.get('x-total-count')).toBe('120')
    expect(last.headers.get('link')).toBe('</auth/v1/admin/users?page=5&per_page=25>; rel="last"')
    expect((await ask('?filter=N12-3@')).body.users).toMatchObject([{ email: 'n12-3@example.com' }])
    expect((await ask('?filter=person%2012_3')).body.users).toHaveLength(1)
    expect((await ask('?filter=%25')).body.users).toEqual([])
    expect((await ask('?sort=created_at%20asc&per_page=1')).body.users[0].email).toMatch(/^n1-/)
    expect((await ask('?page=900000000&per_page=7')).body.users).toEqual([])
    expect((await ask('?page=0&per_page=2')).body.users).toHaveLength(2)
    expect((await ask('?per_page=99999999999999999')).body.users).toHaveLength(120)
    for (const bad of [
      '?page=-1',
      '?page=x',
      '?per_page=0',
      '?per_page=1.5',
      '?page=1e9',
      '?sort=email',
      '?filter=%00',
    ]) {
      expect(await ask(bad), bad).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    }
    await own.stop()
  })
})

describe('GET /admin/audit', () => {
  it('lists entries, latest first, by action, author and type', async () => {
    const email = createAddress()
    const { data } = await admin.createUser({ email, password, email_confirm: true })
    const user = { id: data.user?.id, email }
    await server.openBrowser().auth.signInWithPassword({ email, password })
    const ask = (query: string) => server.send('GET', `/auth/v1/admin/audit${query}`, { key: secretKey })
    const all = await ask('?per_page=1')
    expect(all.status).toBe(200)
    expect(all.body).toHaveLength(1)
    expect(all.body[0]).toMatchObject({
      id: expect.any(String),
      created_at: expect.any(String),
      ip_address: '127.0.0.1',
      payload: { action: 'login', actor_id: user.id, actor_username: user.email },
    })
    expect(all.headers.get('x-total-count')).toBe('2')
    const actions = await ask('?query=action:user_signed')
    expect(new Set(actions.body.map((entry: { payload: { action: string } }) => entry.payload.action))).toEqual(
      new Set(['user_signedup']),
    )
    expect((await ask(`?query=author:${encodeURIComponent(user.email)}`)).body).toHaveLength(1)
    expect((await ask('?query=type:team&per_page=1')).body).toHaveLength(1)
    for (const bad of ['?query=x', '?query=action', '?query=constructor:x', '?page=x']) {
      expect(await ask(bad), bad).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    }
  })
})
