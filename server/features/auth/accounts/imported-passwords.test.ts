import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAuthServer } from '#server/features/auth/auth.service.ts'
import { createAddress, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let elsewhere: string
beforeAll(async () => {
  server = await startAuthServer()
  elsewhere = await server.startAnother()
})
afterAll(() => server?.stop())

const password = 'U*U'
const imported = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

async function importUser(passwordHash = imported, isConfirmed = true): Promise<string> {
  const { body } = await server.send('POST', '/auth/v1/admin/users', {
    key: getAuthServer(server.auth).parts.keys.secretKey,
    body: { email: createAddress(), password_hash: passwordHash, email_confirm: isConfirmed },
  })
  return body.email
}

function signIn(email: string, secret = password, url = server.url) {
  return server.send('POST', `${url}/auth/v1/token?grant_type=password`, { body: { email, password: secret } })
}

async function readHash(email: string): Promise<string> {
  const { rows } = await server.sql.query('select encrypted_password from auth.users where email = $1', [email])
  return rows[0].encrypted_password
}

describe('POST /token?grant_type=password with an imported hash', () => {
  it('signs in, replaces the hash by our own, and signs in again', async () => {
    const email = await importUser()
    expect((await signIn(email)).status).toBe(200)
    expect(await readHash(email)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn(email)).status).toBe(200)
    expect(await signIn(email, 'another')).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } })
  })

  it('keeps the hash after a wrong password, and for accounts that may not sign in', async () => {
    const [email, unconfirmed] = [await importUser(), await importUser(imported, false)]
    expect((await signIn(email, 'wrong one')).body.code).toBe('invalid_credentials')
    expect((await signIn(unconfirmed)).body.code).toBe('email_not_confirmed')
    expect(await readHash(email)).toBe(imported)
    expect(await readHash(unconfirmed)).toBe(imported)
  })

  it('accepts all simultaneous sign-ins, in two processes', async () => {
    const email = await importUser()
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signIn(email, password, n % 2 ? elsewhere : server.url)),
    )
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  })

  it('does not restore a password that was changed during the sign-in', async () => {
    const email = await importUser()
    const changed = await hashBcrypt('the new one', 4)
    const [answer] = await Promise.all([
      signIn(email),
      server.sql.query('update auth.users set encrypted_password = $2 where email = $1', [email, changed]),
    ])
    expect([200, 400]).toContain(answer.status)
    expect((await signIn(email, 'the new one')).status).toBe(200)
    expect((await signIn(email)).body.code).toBe('invalid_credentials')
  })
})

describe('an unknown address', () => {
  it('looks like the existing accounts, by their shares, and the same every time', async () => {
    const own = await startAuthServer()
    const { pickDecoyHash } = getAuthServer(own.auth).parts
    await own.sql.query(
      `insert into auth.users (id, email, encrypted_password)
       select gen_random_uuid(), n || '@example.com', case when n <= 60 then $1 else $2 end from generate_series(1, 100) n`,
      [imported, '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'],
    )
    const addresses = Array.from({ length: 500 }, (_, n) => `unknown-${n}@example.com`)
    const picked = await Promise.all(addresses.map(pickDecoyHash))
    const share = picked.filter((hash) => hash.startsWith('$2a$05$')).length / addresses.length
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(0.7)
    expect(await Promise.all(addresses.map(pickDecoyHash))).toEqual(picked)
    await own.stop()
  })

  it('takes as long as a wrong password where all hashes are slow', async () => {
    const own = await startAuthServer()
    const slow = await hashBcrypt('the right one', 11)
    await own.sql.query(
      `insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
       values (gen_random_uuid(), 'known@example.com', $1, now(), now(), now())`,
      [slow],
    )
    const times: Record<string, number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 7; round += 1) {
      for (const [name, list] of Object.entries(times)) {
        const begunAt = performance.now()
        const body = { email: `${name}@example.com`, password: 'a wrong one' }
        const answer = await own.send('POST', '/auth/v1/token?grant_type=password', { body })
        expect(answer.body.code).toBe('invalid_credentials')
        list.push(performance.now() - begunAt)
      }
    }
    const [known, unknown] = Object.values(times).map((list) => list.sort((a, b) => a - b)[3] ?? 0)
    // Machines under test are busy: a missing decoy would be out by much more.
    expect((unknown ?? 0) / (known ?? 1)).toBeGreaterThan(0.6)
    expect((unknown ?? 0) / (known ?? 1)).toBeLessThan(1.6)
    await own.stop()
  })
})
