import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createAddress,
  openLink,
  password,
  readCode,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server?.stop())

async function requestLink(path: string, body: object & { email: string }) {
  await server.sql.query('delete from app.email_pauses')
  expect(await server.send('POST', `/auth/v1${path}`, { body })).toMatchObject({ status: 200, body: {} })
}

async function readHash(email: string): Promise<string> {
  const { rows } = await server.sql.query('select encrypted_password from auth.users where email = $1', [email])
  return rows[0].encrypted_password
}

describe('an address that another person signed up', () => {
  it('loses the unproven password when its owner signs in by a magic link', async () => {
    const email = createAddress()
    const model = createAddress()
    await server.signUpConfirmed(model)
    await server.sql.query('update auth.users set email = $1, email_confirmed_at = null where email = $2', [
      email,
      model,
    ])
    await requestLink('/otp', { email })
    const code = readCode((await server.mails.waitForMail(email)).text)
    const verified = await server.send('POST', '/auth/v1/verify', { body: { type: 'email', email, token: code } })
    expect(verified.status).toBe(200)
    expect((await readHash(email)) ?? '').toBe('')
    const signIn = await server.send('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })
    expect(signIn).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } })
  })

  it('loses it by a recovery, too', async () => {
    const email = createAddress()
    const model = createAddress()
    await server.signUpConfirmed(model)
    await server.sql.query('update auth.users set email = $1, email_confirmed_at = null where email = $2', [
      email,
      model,
    ])
    await requestLink('/recover', { email })
    const link = readLink((await server.mails.waitForMail(email)).text)
    const opened = await openLink(link)
    expect(opened.headers.get('location')).toContain('access_token=')
    expect((await readHash(email)) ?? '').toBe('')
  })
})

describe('one secret', () => {
  it('signs in once when its link is opened and its code entered at the same moment', async () => {
    const model = createAddress()
    await server.signUpConfirmed(model)
    const email = createAddress()
    await server.sql.query('update auth.users set email = $1 where email = $2', [email, model])
    await requestLink('/recover', { email })
    const { text } = await server.mails.waitForMail(email)
    const typed = { body: { type: 'recovery', email, token: readCode(text) } }
    const answers = await Promise.all([
      openLink(readLink(text)),
      openLink(readLink(text)),
      server.send('POST', '/auth/v1/verify', typed),
      server.send('POST', '/auth/v1/verify', typed),
    ])
    const letIn = answers.filter(
      ({ status, headers }) => status === 200 || headers.get('location')?.includes('access_token='),
    )
    expect(letIn).toHaveLength(1)
  })
})
