import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  createAddress,
  password,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server?.stop())

async function change(browser: Browser, body: object) {
  const { data } = await browser.auth.getSession()
  const authorization = `Bearer ${data.session?.access_token}`
  return server.send('PUT', '/auth/v1/user', { body, headers: { authorization } })
}

/** A session that began with the password, not with an emailed link. */
async function signIn(email: string): Promise<Browser> {
  const browser = server.openBrowser()
  const { error } = await browser.auth.signInWithPassword({ email, password })
  if (error) throw error
  return browser
}

describe('PUT /user', () => {
  it('merges metadata, and keeps the server’s own fields', async () => {
    const browser = await server.signUpConfirmed(createAddress())
    await browser.auth.updateUser({ data: { theme: 'dark', size: 2 } })
    const { data } = await browser.auth.updateUser({ data: { theme: null, email_verified: false, sub: 'x' } })
    expect(data.user?.user_metadata).toMatchObject({ size: 2, email_verified: true, sub: data.user?.id })
    expect(data.user?.user_metadata).not.toHaveProperty('theme')
  })

  it('requires the current password, and checks it', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = await signIn(email)
    const next = 'another battery'
    expect(await change(browser, { password: next })).toMatchObject({ body: { code: 'current_password_required' } })
    const wrong = await change(browser, { password: next, current_password: 'wrong' })
    expect(wrong.body).toMatchObject({ code: 'current_password_invalid' })
    const same = await change(browser, { password, current_password: password })
    expect(same).toMatchObject({ status: 422, body: { code: 'same_password' } })
    const weak = await change(browser, { password: '123', current_password: password })
    expect(weak).toMatchObject({ status: 422, body: { code: 'weak_password' } })
  })

  it('ends the other sessions when the password changes', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const [here, elsewhere] = [await signIn(email), await signIn(email)]
    const changed = await change(here, { password: 'another battery', current_password: password })
    expect(changed.status).toBe(200)
    expect((await here.auth.getUser()).error).toBeNull()
    expect((await elsewhere.auth.getUser()).error).not.toBeNull()
    const { rows } = await server.sql.query(
      'select count(*)::int as count from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
      [email],
    )
    expect(rows[0].count).toBe(1)
  })

  it('changes nothing when one of several changes is refused', async () => {
    const [email, taken] = [createAddress(), createAddress()]
    await server.signUpConfirmed(taken)
    await server.signUpConfirmed(email)
    const browser = await signIn(email)
    const body = { email: taken, password: 'another battery', current_password: password, data: { theme: 'dark' } }
    expect(await change(browser, body)).toMatchObject({ status: 422, body: { code: 'email_exists' } })
    expect((await browser.auth.getUser()).data.user?.user_metadata).not.toHaveProperty('theme')
    await signIn(email)
  })

  it('refuses a session that was signed out elsewhere', async () => {
    const email = createAddress()
    const browser = await server.signUpConfirmed(email)
    await server.sql.query('delete from auth.sessions where user_id = (select id from auth.users where email = $1)', [
      email,
    ])
    expect(await change(browser, { data: { a: 1 } })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    })
  })
})
