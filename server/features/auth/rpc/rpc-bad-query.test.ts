import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

const fn = 'get_user_current_organization'

let server: TestAuthServer
let token: string
let id: string

beforeAll(async () => {
  server = await startAuthServer()
  const browser = await server.signUpConfirmed(createAddress())
  const { data } = await browser.auth.getSession()
  token = data.session?.access_token ?? ''
  id = data.session?.user.id ?? ''
})
afterAll(() => server?.stop())

function get(
  query: Record<string, string> | string,
  options: { method?: string; headers?: Record<string, string> } = {},
) {
  const search = new URLSearchParams(query)
  if (!search.has('p_user_id')) search.set('p_user_id', id)
  return server.send(options.method ?? 'GET', `/rest/v1/rpc/${fn}?${search}`, {
    headers: { authorization: `Bearer ${token}`, ...options.headers },
  })
}

describe('an invalid query', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['an unknown column to pick', { select: 'password' }, 400, '42703'],
    ['an unknown column to filter by', { password: 'eq.x' }, 400, '42703'],
    ['an unknown column to order by', { order: 'password.desc' }, 400, '42703'],
    ['a column of the system', { select: 'ctid' }, 400, '42703'],
    ['a name that is SQL', { select: 'organization_id from auth.users--' }, 400, 'PGRST100'],
    ['a filter name that is SQL', { 'organization_id=1 or 1': 'eq.1' }, 400, '42703'],
    ['an alias that is SQL', { select: 'x"; drop table y; --:organization_id' }, 400, 'PGRST100'],
    ['an unknown cast', { select: 'organization_id::regclass' }, 400, '42704'],
    ['a cast that is SQL', { select: 'organization_id::text)' }, 400, 'PGRST100'],
    ['an embedded table', { select: 'users(*)' }, 400, 'PGRST200'],
    ['an aggregate', { select: 'count()' }, 400, 'PGRST123'],
    ['an unknown operator', { membership_role: 'fts.owner' }, 404, 'PGRST202'],
    ['an unknown operator’s opposite', { membership_role: 'not.fts.owner' }, 400, 'PGRST100'],
    ['a value without an operator', { membership_role: 'owner' }, 404, 'PGRST202'],
    ['a list that does not end', { membership_role: 'in.(a,b' }, 400, 'PGRST100'],
    ['a list with half a quote', { membership_role: 'in.(a,"b)' }, 400, 'PGRST100'],
    ['text that is no id', { organization_id: 'eq.x' }, 400, '22P02'],
    ['a list with text that is no id', { organization_id: 'in.(x)' }, 400, '22P02'],
    ['an id compared as text', { organization_id: 'like.a*' }, 404, '42883'],
    ['text taken for true', { membership_role: 'is.true' }, 400, '42804'],
    ['something that is neither', { membership_role: 'is.maybe' }, 400, 'PGRST100'],
    ['an order that is none', { order: 'membership_role.up' }, 400, 'PGRST100'],
    ['an order that is SQL', { order: 'membership_role.desc; select 1' }, 400, 'PGRST100'],
    ['an order without a column', { order: '.desc' }, 400, 'PGRST100'],
    ['a limit below zero', { limit: '-1' }, 416, 'PGRST103'],
    ['an offset below zero', { offset: '-1' }, 416, 'PGRST103'],
    ['a NUL', { membership_role: 'eq.\0' }, 400, '22021'],
    ['a NUL in a name', { 'a\0': 'eq.1' }, 400, '22021'],
    ['too many columns', { select: 'organization_id,'.repeat(100) }, 400, 'PGRST100'],
    ['several conditions in one', { or: '(membership_role.eq.owner)' }, 404, 'PGRST202'],
  ])('is refused: %s', async (_name, query, status, code) => {
    const answer = await get(query)
    expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code })
    expect(Object.keys(answer.body)).toEqual(['code', 'details', 'hint', 'message'])
    const head = await get(query, { method: 'HEAD' })
    expect(head).toMatchObject({ status, text: '' })
  })

  it('is refused on a scalar, which has no columns', async () => {
    for (const query of ['select=a', 'a=eq.1', 'order=a']) {
      const answer = await server.send('POST', `/rest/v1/rpc/is_superadmin?${query}`, {
        headers: { authorization: `Bearer ${token}` },
        body: { user_id: id },
      })
      expect(answer).toMatchObject({ status: 400, body: { code: '42703' } })
    }
  })

  it('never causes a server error', async () => {
    const hostile = [
      "'",
      '"',
      '\\',
      ';',
      '--',
      '/*',
      '%',
      '*',
      '(',
      ')',
      ',',
      '.',
      ':',
      '::',
      '{',
      '}',
      '[',
      ']',
      '$1',
      '$$',
      '?',
      '\n',
      '\t',
      "' or 1=1 --",
      '1; select pg_sleep(10)',
      '{"a":1}',
      '\u{10ffff}',
      '\u202e',
      '🦆',
      '-0',
      '1e400',
      'NaN',
      '__proto__',
      'constructor',
      'x'.repeat(5_000),
      'not.not.eq.1',
      'in.()',
      'in.(,)',
      'in.("")',
      'is.',
      'eq.',
      'not.',
      '.',
      '..',
      'null',
    ]
    const places: ((text: string) => Record<string, string>)[] = [
      (text) => ({ select: text }),
      (text) => ({ select: `${text}:organization_id` }),
      (text) => ({ order: text }),
      (text) => ({ order: `organization_id.${text}` }),
      (text) => ({ limit: text }),
      (text) => ({ offset: text }),
      (text) => ({ [text]: 'eq.1' }),
      (text) => ({ membership_role: text }),
      (text) => ({ membership_role: `eq.${text}` }),
      (text) => ({ membership_role: `like.${text}` }),
      (text) => ({ membership_role: `in.(${text})` }),
      (text) => ({ membership_role: `not.in.("${text}")` }),
      (text) => ({ organization_created_at: `gt.${text}` }),
      (text) => ({ p_user_id: text }),
    ]
    for (const place of places) {
      const answers = await Promise.all(hostile.map((text) => get(place(text))))
      for (const [index, answer] of answers.entries()) {
        expect(answer.status, JSON.stringify(place(hostile[index] ?? '')).slice(0, 200)).toBeLessThan(500)
      }
    }
    for (const name of ['prefer', 'range', 'accept', 'accept-profile', 'authorization']) {
      for (const text of [
        "' or 1=1",
        'count=exact,count=;;',
        '0-',
        '-5',
        '999999999999-',
        'a/b;q=x',
        ',,,',
        'Bearer a.b.c',
      ]) {
        expect((await get({}, { headers: { [name]: text } })).status, `${name}: ${text}`).toBeLessThan(500)
      }
    }
  })
})
