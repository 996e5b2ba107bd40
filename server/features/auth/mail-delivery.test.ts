import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { type MailCatcher, startMailCatcher } from '#doubles/mail.ts'
import {
  createAddress,
  openLink,
  password,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

describe('POST /signup while the mail server is down', () => {
  let server: TestAuthServer
  let mails: MailCatcher | undefined
  let smtpPort = 0
  beforeAll(async () => {
    smtpPort = await findFreePort()
    server = await startAuthServer({ SMTP_URL: `smtp://127.0.0.1:${smtpPort}` })
  })
  afterAll(async () => {
    await mails?.stop()
    await server?.stop()
  })

  it('answers in under a second, and the email is sent soon after the mail server is back', async () => {
    const email = createAddress()
    const startedAt = performance.now()
    const answer = await server.send('POST', '/auth/v1/signup', { body: { email, password } })
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(answer).toMatchObject({ status: 200, body: { email, confirmation_sent_at: expect.any(String) } })

    const attempts = async () =>
      (await server.sql.query('select attempts, last_error from app.emails where to_address = $1', [email])).rows[0]
    await expect
      .poll(attempts, { timeout: 10_000 })
      .toMatchObject({ attempts: expect.any(Number), last_error: expect.stringMatching(/away/) })

    mails = await startMailCatcher({ smtpPort, webPort: await findFreePort() })
    const backAt = performance.now()
    const link = readLink((await mails.waitForMail(email)).text)
    expect(performance.now() - backAt).toBeLessThan(12_000)
    expect((await openLink(link)).status).toBe(303)
  })
})

describe('links in emails', () => {
  let server: TestAuthServer
  beforeAll(async () => {
    server = await startAuthServer()
  })
  afterAll(async () => {
    await server?.stop()
  })

  const forged = 'attacker.example'
  it.each([
    ['Host', { host: forged }],
    ['X-Forwarded-Host', { 'x-forwarded-host': forged }],
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'javascript' }],
    ['Forwarded', { forwarded: `host=${forged};proto=https` }],
    ['X-Original-URL and Referer', { 'x-original-url': `https://${forged}/`, referer: `https://${forged}/` }],
    ['redirect_to', { redirect_to: `https://${forged}/` }],
  ])('use the configured URL in spite of %s', async (_name, headers) => {
    const email = createAddress()
    const body = JSON.stringify({ email, password })
    expect(await sendRaw('/auth/v1/signup', headers, body)).toBe(200)
    const mail = await server.mails.waitForMail(email)
    const link = readLink(mail.text)
    expect(link.startsWith(`${server.url}/auth/v1/verify?`)).toBe(true)
    expect(new URL(link).searchParams.get('redirect_to')).toBe(server.url)
    for (const part of [mail.text, mail.html]) expect(part).not.toMatch(/attacker|javascript/)
  })

  it('use it in all other emails too', async () => {
    const email = createAddress()
    const browser = await server.signUpConfirmed(email)
    const { data } = await browser.auth.getSession()
    const everyHeader = {
      host: forged,
      'x-forwarded-host': forged,
      'x-forwarded-proto': 'javascript',
      forwarded: `host=${forged};proto=https`,
      referer: `https://${forged}/`,
      redirect_to: `https://${forged}/`,
      authorization: `Bearer ${data.session?.access_token}`,
    }
    const [waiting, newEmail] = [createAddress(), createAddress()]
    await server.send('POST', '/auth/v1/signup', { body: { email: waiting, password } })
    await server.mails.waitForMail(waiting)
    await server.mails.clearMails()

    const asked: [method: string, path: string, body: object, to: readonly string[]][] = [
      ['POST', '/auth/v1/recover', { email }, [email]],
      ['POST', '/auth/v1/otp', { email }, [email]],
      ['POST', '/auth/v1/resend', { type: 'signup', email: waiting }, [waiting]],
      ['PUT', '/auth/v1/user', { email: newEmail }, [email, newEmail]],
    ]
    for (const [method, path, body, receivers] of asked) {
      expect([path, await sendRaw(path, everyHeader, JSON.stringify(body), method)]).toEqual([path, 200])
      for (const receiver of receivers) {
        const mail = await server.mails.waitForMail(receiver)
        const link = readLink(mail.text)
        expect([path, link.startsWith(`${server.url}/auth/v1/verify?`)]).toEqual([path, true])
        expect(new URL(link).searchParams.get('redirect_to')).toBe(server.url)
        for (const address of mail.links) expect(new URL(address).origin).toBe(server.url)
        for (const part of [mail.text, mail.html]) expect(part).not.toMatch(/attacker|javascript/)
      }
      await server.mails.clearMails()
    }
  })

  /** By hand: fetch always sends its own Host. */
  async function sendRaw(
    path: string,
    headers: Record<string, string>,
    body: string,
    method = 'POST',
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(
        server.url + path,
        {
          method,
          headers: { apikey: server.auth.publishableKey, 'content-type': 'application/json', ...headers },
        },
        (reply) => reply.resume().once('end', () => resolve(reply.statusCode ?? 0)),
      )
      sent.once('error', reject)
      sent.end(body)
    })
  }
})
