import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, openLink, readLink, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server?.stop())

/** A link of the change, for an address without earlier emails. */
async function begin() {
  const [before, wanted] = [createAddress(), createAddress()]
  const browser = await server.signUpConfirmed(createAddress())
  // The sign-up's address already has an email; an address without any identifies the right one.
  const id = (await browser.auth.getUser()).data.user?.id
  await server.sql.query('update auth.users set email = $1 where id = $2', [before, id])
  const { data } = await browser.auth.getSession()
  const headers = { authorization: `Bearer ${data.session?.access_token}`, 'x-forwarded-host': 'evil.example' }
  const asked = await server.send('PUT', '/auth/v1/user', { body: { email: wanted }, headers })
  expect(asked).toMatchObject({ status: 200, body: { email: before, new_email: wanted } })
  const links = await Promise.all(
    [before, wanted].map(async (to) => readLink((await server.mails.waitForMail(to)).text)),
  )
  for (const link of links) expect(new URL(link).origin).toBe(server.url)
  return { id, wanted, oldLink: links[0] ?? '', newLink: links[1] ?? '' }
}

async function open(link: string): Promise<string> {
  return (await openLink(link)).headers.get('location') ?? ''
}

async function readEmail(id: string | undefined): Promise<string> {
  const { rows } = await server.sql.query('select email from auth.users where id = $1', [id])
  return rows[0].email
}

describe('an email change', () => {
  it('needs both confirmations, each once', async () => {
    const { id, wanted, oldLink, newLink } = await begin()
    expect(await open(oldLink)).toContain('message=Confirmation+link+accepted')
    expect(await open(oldLink)).toContain('error_code=otp_expired')
    expect(await readEmail(id)).not.toBe(wanted)
    expect(await open(newLink)).toContain('access_token=')
    expect(await readEmail(id)).toBe(wanted)
  })

  it('does not count one link twice when it is opened twice at once', async () => {
    const { id, wanted, newLink } = await begin()
    const targets = await Promise.all([open(newLink), open(newLink)])
    expect(targets.filter((target) => target.includes('message='))).toHaveLength(1)
    expect(await readEmail(id)).not.toBe(wanted)
  })

  it('fails when another account takes the address in between', async () => {
    const { id, wanted, oldLink, newLink } = await begin()
    await open(oldLink)
    const other = server.openBrowser()
    await other.auth.signUp({ email: wanted, password: 'correct horse' })
    expect(await open(newLink)).toContain('error_code=email_exists')
    expect(await readEmail(id)).not.toBe(wanted)
  })
})
