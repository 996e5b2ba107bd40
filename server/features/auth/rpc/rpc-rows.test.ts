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

describe('rows of a function, requested by the real client', () => {
  it('are selected, renamed and cast', async () => {
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
      all().in('membership_role', ['owner', 'someone, who (is) else']),
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
      // Null is neither equal nor unequal.
      all().neq('organization_trial_ends_at', '2020-01-01'),
      all().not('organization_trial_ends_at', 'eq', '2020-01-01'),
    ]
    for (const answer of await Promise.all(empty)) expect(answer).toMatchObject({ error: null, data: [] })
  })

  it('are filtered the same when the arguments are in the query', async () => {
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

  it('are a single object when one is requested', async () => {
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
  it('return the range of their rows', async () => {
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

  it('accept a range, which a POST ignores', async () => {
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

  it('answer in the requested type, or with an error', async () => {
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

  it('return the allowed methods for OPTIONS', async () => {
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

describe('a function that writes', () => {
  it('is refused: all callable functions only read', async () => {
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
