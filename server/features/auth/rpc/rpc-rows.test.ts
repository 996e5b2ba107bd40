import type { PostgrestClient } from '@supabase/postgrest-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

const fn = 'get_user_current_organization'

let server: TestAuthServer
let rest: PostgrestClient
let token: string
let id: string
let row: Record<string, string | null>

beforeAll(async () => {
  server = await startAuthServer()
  const browser = await server.signUpConfirmed(createAddress())
  const { data } = await browser.auth.getSession()
  token = data.session?.access_token ?? ''
  id = data.session?.user.id ?? ''
  rest = await browser.rest()
  row = (await rest.rpc(fn, { p_user_id: id })).data[0]
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

describe('rows of a function, asked for by the real client', () => {
  it('are picked, renamed and cast', async () => {
    const picked = await rest.rpc(fn, { p_user_id: id }).select('organization_name,role:membership_role')
    expect(picked).toMatchObject({
      error: null,
      data: [{ organization_name: row.organization_name, role: 'owner' }],
    })
    expect(JSON.stringify(picked.data)).toMatch(/^\[\{"organization_name":.*,"role":"owner"\}\]$/)
    const cast = await rest.rpc(fn, { p_user_id: id }).select('day:organization_created_at::date,*')
    expect(cast.data[0]).toMatchObject({ ...row, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
  })

  it('are filtered by every operator, and by its opposite', async () => {
    const all = () => rest.rpc(fn, { p_user_id: id })
    const slug = String(row.organization_slug)
    const found = [
      all().eq('organization_id', row.organization_id),
      all().neq('membership_role', 'viewer'),
      all().gt('membership_joined_at', '2020-01-01'),
      all().gte('organization_slug', slug),
      all().lt('membership_joined_at', '2999-01-01'),
      all().lte('organization_slug', slug),
      all().like('organization_slug', `${slug.slice(0, 3)}%`),
      all().ilike('organization_slug', `${slug.slice(0, 3).toUpperCase()}*`),
      all().is('organization_trial_ends_at', null).not('organization_slug', 'is', null),
      all().in('membership_role', ['owner', 'somebody, who (is) else']),
      all().filter('membership_role', 'in', '("a \\"quoted\\", one","owner")'),
      all().not('membership_role', 'in', '(viewer,"admin")'),
      all().not('membership_role', 'eq', 'viewer'),
      all().eq('membership_role', 'owner').neq('membership_role', 'admin'),
      all().match({ membership_role: 'owner', organization_slug: slug }),
    ]
    for (const answer of await Promise.all(found)) expect(answer).toMatchObject({ error: null, data: [row] })
    const empty = [
      all().eq('membership_role', 'viewer'),
      all().in('membership_role', []),
      all().not('organization_trial_ends_at', 'is', null),
      all().like('membership_role', 'OWN%'),
      all().not('membership_role', 'eq', 'owner'),
      // What is unknown is neither equal nor unequal.
      all().neq('organization_trial_ends_at', '2020-01-01'),
      all().not('organization_trial_ends_at', 'eq', '2020-01-01'),
    ]
    for (const answer of await Promise.all(empty)) expect(answer).toMatchObject({ error: null, data: [] })
  })

  it('are filtered the same when the arguments come in the address', async () => {
    const answer = await rest
      .rpc(fn, { p_user_id: id }, { get: true })
      .eq('membership_role', 'owner')
      .select('membership_role')
    expect(answer).toMatchObject({ error: null, data: [{ membership_role: 'owner' }] })
    expect(await rest.rpc(fn, { p_user_id: id }, { get: true }).eq('membership_role', 'viewer')).toMatchObject({
      data: [],
    })
  })

  it('are ordered, limited and counted', async () => {
    const ordered = await rest
      .rpc(fn, { p_user_id: id }, { count: 'exact' })
      .order('organization_name', { ascending: false, nullsFirst: true })
      .order('membership_joined_at')
      .limit(5)
    expect(ordered).toMatchObject({ error: null, status: 200, count: 1, data: [row] })
    expect(await rest.rpc(fn, { p_user_id: id }, { count: 'exact' }).limit(0)).toMatchObject({
      status: 206,
      count: 1,
      data: [],
    })
    expect(await rest.rpc(fn, { p_user_id: id }, { count: 'exact' }).range(0, 9)).toMatchObject({
      count: 1,
      data: [row],
    })
    expect(await rest.rpc(fn, { p_user_id: id }, { count: 'exact' }).range(5, 9)).toMatchObject({
      status: 416,
      error: {
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details: 'An offset of 5 was requested, but there are only 1 rows.',
      },
    })
    expect(await rest.rpc(fn, { p_user_id: id }).range(5, 9)).toMatchObject({ status: 200, data: [] })
    expect(await rest.rpc(fn, { p_user_id: id }, { head: true, count: 'exact' })).toMatchObject({
      status: 200,
      count: 1,
      data: null,
    })
    expect(await rest.rpc('is_superadmin', { user_id: id }, { count: 'exact' })).toMatchObject({ count: 1, data: true })
  })

  it('come alone when one is wanted', async () => {
    const one = rest.rpc(fn, { p_user_id: id }).eq('membership_role', 'owner').order('membership_role').limit(1)
    expect(await one.single()).toMatchObject({ error: null, data: row })
    const none = () => rest.rpc(fn, { p_user_id: id }).eq('membership_role', 'viewer')
    expect(await none().maybeSingle()).toMatchObject({ error: null, data: null })
    expect(await none().single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows', hint: null },
    })
    expect(await rest.rpc('is_superadmin', { user_id: id }).single()).toMatchObject({ error: null, data: true })
  })
})

describe('GET and HEAD /rest/v1/rpc', () => {
  it('say which rows they hold', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get({}, { method, headers: { prefer: 'count=exact' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-range')).toBe('0-0/1')
      expect(answer.headers.get('preference-applied')).toBe('count=exact')
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.text === '').toBe(method === 'HEAD')
    }
    expect((await get({})).headers.get('content-range')).toBe('0-0/*')
    expect((await get({ limit: '0' })).headers.get('content-range')).toBe('*/*')
  })

  it('take a range, which a POST ignores', async () => {
    const ranged = await get({}, { headers: { range: '0-0', 'range-unit': 'items', prefer: 'count=exact' } })
    expect(ranged).toMatchObject({ status: 200, body: [row] })
    const beyond = await get({}, { headers: { range: '7-9', prefer: 'count=exact' } })
    expect(beyond).toMatchObject({ status: 416, body: { code: 'PGRST103' } })
    expect(await get({}, { headers: { range: '9-7' } })).toMatchObject({
      status: 416,
      body: { details: expect.stringMatching(/^The lower boundary must be lower/) },
    })
    expect(await get({}, { headers: { range: 'bytes=0-5' } })).toMatchObject({ status: 200, body: [row] })
    const posted = await server.send('POST', `/rest/v1/rpc/${fn}`, {
      headers: { authorization: `Bearer ${token}`, range: '7-9', prefer: 'count=exact' },
      body: { p_user_id: id },
    })
    expect(posted).toMatchObject({ status: 200, body: [row] })
  })

  it('answer in the type that is asked for, or not at all', async () => {
    const types: [string, number, string][] = [
      ['*/*', 200, 'application/json; charset=utf-8'],
      ['application/*', 200, 'application/json; charset=utf-8'],
      ['text/html, application/json;q=0.5', 200, 'application/json; charset=utf-8'],
      ['application/vnd.pgrst.object+json', 200, 'application/vnd.pgrst.object+json; charset=utf-8'],
      [
        'application/json;q=0.1, application/vnd.pgrst.object+json',
        200,
        'application/vnd.pgrst.object+json; charset=utf-8',
      ],
      ['text/csv', 406, 'application/json; charset=utf-8'],
      ['application/json;q=0', 406, 'application/json; charset=utf-8'],
    ]
    for (const [accept, status, type] of types) {
      const answer = await get({}, { headers: { accept } })
      expect({ accept, status: answer.status, type: answer.headers.get('content-type') }).toEqual({
        accept,
        status,
        type,
      })
      if (status === 406) expect(answer.body.code).toBe('PGRST107')
    }
  })

  it('tell what may be done there', async () => {
    const asked = await server.send('OPTIONS', `/rest/v1/rpc/${fn}`, { key: null })
    expect(asked.headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST')
    expect(asked.headers.get('access-control-allow-headers')).toContain('range')
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const refused = await get({}, { method })
      expect(refused).toMatchObject({
        status: 405,
        body: { code: 'PGRST101', message: `Cannot use the ${method} method on RPC` },
      })
      expect(refused.headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST')
    }
    expect(await server.send('HEAD', '/rest/v1/rpc/a/b')).toMatchObject({ status: 404 })
  })
})

describe('a query that cannot be', () => {
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

  it('never fails on our side, whatever stands where', async () => {
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

describe('a function that writes', () => {
  it('is refused: none of those that may be called does', async () => {
    // The last test of this file: the function stays like this.
    await server.sql.query(`
      create or replace function public.is_superadmin(user_id uuid) returns boolean
      language plpgsql security definer set search_path = '' as $$
      begin
        insert into app.superadmins (user_id) values (is_superadmin.user_id);
        return true;
      end $$`)
    for (const method of ['GET', 'POST']) {
      const answer = await server.send(
        method,
        `/rest/v1/rpc/is_superadmin${method === 'GET' ? `?user_id=${id}` : ''}`,
        {
          headers: { authorization: `Bearer ${token}` },
          ...(method === 'POST' && { body: { user_id: id } }),
        },
      )
      expect(answer).toMatchObject({ status: 405, body: { code: '25006' } })
    }
  })
})
