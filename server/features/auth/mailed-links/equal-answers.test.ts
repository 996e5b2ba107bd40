import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

const callCount = 32
// The server works for a fraction of the time of an answer, and waits for the rest: several people's calls fit into it
// without delaying each other, if each begins after the work of the one before.
const peopleAtOnce = 4
const workMs = 35
let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_SMTP_MAX_FREQUENCY: '60' })
  await server.signUpConfirmed('model@example.com')
})
afterAll(() => server?.stop())

/** An account with the model's password, created without a pause. */
async function createAccount(isConfirmed: boolean): Promise<string> {
  const email = createAddress()
  await server.sql.query(
    `insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at,
       confirmation_token, recovery_token, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
     select gen_random_uuid(), instance_id, aud, role, $1::text, encrypted_password,
       case when $2 then now() end, '', '', raw_app_meta_data,
       raw_user_meta_data || jsonb_build_object('email', $1::text), now(), now()
     from auth.users where email = 'model@example.com'`,
    [email, isConfirmed],
  )
  return email
}

interface Call {
  readonly ms: number
  readonly said: string
}

async function measure(path: string, body: object): Promise<Call> {
  const begunAt = performance.now()
  const { status, text } = await server.send('POST', `/auth/v1${path}`, { body })
  // The rest of the pause depends on the second of the request.
  return { ms: performance.now() - begunAt, said: `${status} ${text.replace(/after \d+ seconds/, 'after N seconds')}` }
}

function median(calls: readonly Call[]): number {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function compare(flow: string, known: readonly Call[], unknown: readonly Call[]): void {
  const ratio = median(known) / median(unknown)
  console.info(`${flow}: known / unknown = ${ratio.toFixed(3)} (${median(known).toFixed(0)} ms)`)
  expect(new Set(known.map(({ said }) => said)), flow).toEqual(new Set(unknown.map(({ said }) => said)))
  expect(ratio, flow).toBeGreaterThan(0.8)
  expect(ratio, flow).toBeLessThan(1.25)
}

describe('the answer to an address', () => {
  it.each([
    ['/recover', true, {}],
    ['/otp', true, { create_user: false }],
    ['/resend', false, { type: 'signup' }],
  ])(
    '%s is the same for all addresses, before and within the pause',
    { timeout: 90_000 },
    async (path, isConfirmed, extra) => {
      const first: [Call[], Call[]] = [[], []]
      const again: [Call[], Call[]] = [[], []]
      const measurePair = async (known: string, place: number) => {
        const emails = [known, createAddress()] as const
        await pause(place * workMs)
        for (const calls of [first, again]) {
          calls[0].push(await measure(path, { email: emails[0], ...extra }))
          calls[1].push(await measure(path, { email: emails[1], ...extra }))
        }
      }
      for (let done = 0; done < callCount; done += peopleAtOnce) {
        const people = await Promise.all(Array.from({ length: peopleAtOnce }, () => createAccount(isConfirmed)))
        await Promise.all(people.map(measurePair))
      }
      expect(again[1]).toHaveLength(callCount)
      expect(first[0][0]?.said).toMatch(/^200 /)
      expect(again[0][0]?.said).toMatch(/^429 /)
      compare(path, ...first)
      compare(`${path} within the pause`, ...again)
    },
  )

  it('is the same for a wrong password', { timeout: 90_000 }, async () => {
    const calls: [Call[], Call[]] = [[], []]
    for (let index = 0; index < callCount; index += 1) {
      const emails = [await createAccount(true), createAddress()] as const
      // In turns, so that neither comes first each time.
      for (const which of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const body = { email: emails[which], password: `${password}, but wrong` }
        calls[which].push(await measure('/token?grant_type=password', body))
      }
    }
    expect(calls[0][0]?.said).toMatch(/^400 .*invalid_credentials/)
    compare('sign-in', ...calls)
  })
})
