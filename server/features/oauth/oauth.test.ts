import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConnectedApp } from '#contract/connected-apps.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually } from '#server/testing/files-fixture.ts'
import { connectByOAuth, connectMcp, mcpEras } from '#server/testing/mcp-clients.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* Apps that people connect by OAuth: with the official clients of both eras, and by hand where clients behave. */

let server: TestServer
let owner: BuiltUser
let token: string
let organizationId: string
let otherOrganizationId: string
let itemId: string
let trackerId: string
let otherItemId: string

beforeAll(async () => {
  server = await startTestServer({
    SERVICES: 'web,worker',
    API_RATE_PER_MINUTE: '100000',
    OAUTH_REGISTRATIONS_PER_HOUR: '100000',
    OAUTH_TOKENS_PER_MINUTE: '100000',
  })
  const { client } = server
  // The first runs the instance, and would see everything.
  await createUser(client)
  const other = await createUser(client)
  otherOrganizationId = other.organizationId ?? ''
  const otherProject = await createProject(client, { organizationId: otherOrganizationId })
  otherItemId = (await createFeedback(client, { organizationId: otherOrganizationId, projectId: otherProject.id })).id
  owner = await createUser(client, { fullName: 'Ada Example' })
  token = await server.signIn(owner)
  organizationId = owner.organizationId ?? ''
  const project = await createProject(client, { organizationId })
  itemId = (await createFeedback(client, { organizationId, projectId: project.id })).id
  const { rows } = await client.query<{ id: string }>(
    `insert into integrations (organization_id, type, name, settings, secrets, event_names, is_tracker, created_by)
     values ($1, 'github', 'Tracker', '{"repository": "acme/web"}', 'none', '{feedback.created}', true, $1) returning id`,
    [organizationId],
  )
  trackerId = rows[0]?.id ?? ''
})
afterAll(() => server.stop())

const redirectUri = 'http://127.0.0.1:33418/callback'
type Json = Record<string, unknown>
const readJson = async (reply: Response) => ({ status: reply.status, body: (await reply.json()) as Json })

async function register(
  metadata: Json = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json }> {
  const body = JSON.stringify({ client_name: 'By hand', redirect_uris: ['http://127.0.0.1/callback'], ...metadata })
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  return readJson(await fetch(`${server.url}/oauth/register`, options))
}
const postForm = async (path: string, form: Record<string, string>) =>
  readJson(await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) }))

function makePkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** What a person's browser does at an address of the consent screen. */
async function approve(
  asked: URL,
  {
    as = token,
    scopes = ['read'],
    organization = organizationId,
  }: { as?: string; scopes?: string[]; organization?: string } = {},
): Promise<string> {
  const request = Object.fromEntries(asked.searchParams)
  const reply = await server.call('/api/v1/account/apps', {
    token: as,
    body: { request, organizationId: organization, scopes },
  })
  const body = (await reply.json()) as { redirectTo: string }
  expect(reply.status, JSON.stringify(body)).toBe(201)
  return body.redirectTo
}

interface Connected {
  readonly clientId: string
  readonly access: string
  readonly refresh: string
}

/** Everything by hand, up to a code. */
async function getCode(options: Parameters<typeof approve>[1] & { clientId?: string } = {}) {
  const clientId = options.clientId ?? String((await register()).body.client_id)
  const { verifier, challenge } = makePkce()
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', code_challenge: challenge }
  const asked = new URL(`${server.url}/oauth/authorize`)
  asked.search = String(new URLSearchParams({ ...query, code_challenge_method: 'S256', state: 'x' }))
  const code = new URL(await approve(asked, options)).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  return { clientId, form }
}
async function connect(options: Parameters<typeof getCode>[0] = {}): Promise<Connected> {
  const { clientId, form } = await getCode(options)
  const { status, body } = await postForm('/oauth/token', form)
  expect([status, body.token_type, body.expires_in], JSON.stringify(body)).toEqual([200, 'Bearer', 3600])
  return { clientId, access: String(body.access_token), refresh: String(body.refresh_token) }
}
const refresh = ({ clientId, refresh: text }: Connected, form: Record<string, string> = {}) =>
  postForm('/oauth/token', { grant_type: 'refresh_token', refresh_token: text, client_id: clientId, ...form })
const probe = async (access: string) => {
  const reply = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${access}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  await reply.body?.cancel()
  return reply.status
}
const listApps = async (as = token) =>
  ((await (await server.call('/api/v1/account/apps', { token: as })).json()) as { items: ConnectedApp[] }).items
const readItem = async () =>
  (await (
    await server.call(`/api/v1/organizations/${organizationId}/feedback/${itemId}`, { token })
  ).json()) as FeedbackDetail

describe.each(mcpEras)('a client of %s', (era) => {
  it('finds the server, registers, asks with PKCE and gets the tools of the chosen scope', async () => {
    const client = await connectByOAuth(server.url, era, async (asked) => {
      expect(asked.origin + asked.pathname).toBe(`${server.url}/oauth/authorize`)
      expect(Object.fromEntries(asked.searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: redirectUri,
        resource: `${server.url}/mcp`,
        scope: 'read',
      })
      const back = new URL(await approve(asked))
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'a state', iss: server.url })
      return back.href
    })
    expect(client.revision).toBe(era)
    expect(client.tokens.scope).toBe('read')
    expect((await client.listTools()).map(({ name }) => name)).not.toContain('change_status')
    expect((await client.call('get_feedback', { id: itemId })).structured).toMatchObject({ id: itemId })
    const foreign = await client.call('get_feedback', { id: otherItemId })
    expect([foreign.isError, JSON.parse(foreign.text).code]).toEqual([true, 'feedback_not_found'])
    const [app] = await listApps()
    expect(app).toMatchObject({ name: 'Test agent', redirectHost: '127.0.0.1:33418', scopes: ['read'] })
    expect(app?.lastUsedAt).not.toBeNull()
    await client.close()
  })

  it('writes in the name of a person, whose app it names', async () => {
    const client = await connectByOAuth(server.url, era, (asked) => approve(asked, { scopes: ['read', 'write'] }))
    expect(client.tokens.scope).toBe('read write')
    const status = era === '2026-07-28' ? 'open' : 'in_progress'
    expect((await client.call('change_status', { id: itemId, status })).isError).toBe(false)
    expect((await client.call('add_note', { id: itemId, text: 'Fixed by a commit.' })).isError).toBe(false)
    const link = await client.call('link_issue', { id: itemId, trackerId })
    expect(link.isError, link.text).toBe(false)
    const { history, comments } = await readItem()
    const name = 'Agent “Test agent” on behalf of Ada Example'
    expect(history.find(({ to }) => to === status)).toMatchObject({ field: 'status', actorName: name })
    expect(history.at(-1)).toMatchObject({ field: 'new_issue', to: 'Tracker', actorName: name })
    await server.client.query('delete from issue_links where organization_id = $1', [organizationId])
    expect(comments.at(-1)).toMatchObject({ text: 'Fixed by a commit.', authorName: name })
    const { rows } = await server.client.query(
      `select actor_kind, actor_user_id, actor_name from app.events where name = 'feedback.commented' order by id desc limit 1`,
    )
    expect(rows[0]).toEqual({ actor_kind: 'user', actor_user_id: owner.id, actor_name: name })
    await client.close()
  })
})

describe('metadata', () => {
  it('names resource, server and addresses', async () => {
    const read = async (path: string) => (await (await fetch(`${server.url}/.well-known/${path}`)).json()) as Json
    const resource = await read('oauth-protected-resource/mcp')
    expect(resource).toMatchObject({ resource: `${server.url}/mcp`, authorization_servers: [server.url] })
    expect(await read('oauth-protected-resource')).toEqual(resource)
    expect(await read('oauth-authorization-server')).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    })
  })
})

describe('POST /oauth/register', () => {
  it('takes https, loopback and schemes of apps, and refuses other addresses', async () => {
    const good = [
      'https://app.example/cb?x=1',
      'http://localhost:1/cb',
      'http://[::1]/cb',
      'cursor://anysphere/cb',
      'com.example.app:/cb',
    ]
    for (const uri of good) expect([uri, (await register({ redirect_uris: [uri] })).status]).toEqual([uri, 201])
    const bad = [
      'http://app.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'https://app.example/cb#x',
      'https://user:pass@app.example/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://app.example/x',
      '/cb',
      '',
      'https://app.example/\u202e',
      `https://app.example/${'x'.repeat(3000)}`,
    ]
    for (const uri of bad) {
      const { status, body } = await register({ redirect_uris: [uri] })
      expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri'])
    }
    for (const metadata of [
      { redirect_uris: [] },
      { redirect_uris: 'x' },
      { client_name: 7 },
      { grant_types: ['implicit'] },
    ]) {
      expect((await register(metadata)).status).toBe(400)
    }
  })

  it('shows what is invisible in a name', async () => {
    const { body } = await register({ client_name: '  Claude\u202e\n Code ' })
    expect(body).toMatchObject({ client_name: 'Claude\\u{202E} Code', token_endpoint_auth_method: 'none' })
    expect(body).not.toHaveProperty('client_secret')
  })

  it('is limited for each address', async () => {
    const limited = await startTestServer({ OAUTH_REGISTRATIONS_PER_HOUR: '5' })
    try {
      const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'] })
      const headers = { 'content-type': 'application/json' }
      const statuses: number[] = []
      for (let count = 0; count < 6; count += 1)
        statuses.push((await fetch(`${limited.url}/oauth/register`, { method: 'POST', headers, body })).status)
      expect([statuses.filter((each) => each === 201).length, statuses.at(-1)]).toEqual([5, 429])
    } finally {
      await limited.stop()
    }
  })
})

describe('a request for access', () => {
  const describeRequest = async (change: Record<string, string | undefined>) => {
    const { body: app } = await register()
    const whole = {
      client_id: String(app.client_id),
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: makePkce().challenge,
      code_challenge_method: 'S256',
      state: 's',
    }
    const request = JSON.parse(JSON.stringify({ ...whole, ...change })) as Record<string, string>
    const described = await readJson(await server.call('/api/v1/account/apps/requests', { token, body: request }))
    const connected = await server.call('/api/v1/account/apps', {
      token,
      body: { request, organizationId, scopes: ['read'] },
    })
    return { ...described, connected: connected.status }
  }

  it('says who asks, and leads back', async () => {
    const { status, body } = await describeRequest({})
    expect([status, body]).toEqual([
      200,
      {
        appName: 'By hand',
        redirectHost: '127.0.0.1:33418',
        isLocal: true,
        refusal: null,
        cancelTo: `${redirectUri}?error=access_denied&error_description=The+person+refused.&state=s&iss=${encodeURIComponent(server.url)}`,
      },
    ])
  })

  it('goes nowhere when the app or its address is not registered', async () => {
    const wrong = [
      { client_id: crypto.randomUUID() },
      { client_id: 'x' },
      { client_id: undefined },
      { redirect_uri: undefined },
      { redirect_uri: 'http://127.0.0.1:1/other' },
      { redirect_uri: 'http://localhost/callback' },
      { redirect_uri: 'https://127.0.0.1/callback' },
      { redirect_uri: 'http://127.0.0.1/callback/../callback' },
      { redirect_uri: 'http://127.0.0.1@evil.example/callback' },
    ]
    for (const change of wrong) {
      const { status, body, connected } = await describeRequest(change)
      expect([change, status, body.code, connected]).toEqual([change, 400, 'connection_request_invalid', 400])
    }
  })

  it('is refused without PKCE, for other servers and for other answers', async () => {
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    ]
    for (const [change, error] of wrong) {
      const { body, connected } = await describeRequest(change)
      expect([change, new URL(String(body.cancelTo)).searchParams.get('error'), connected]).toEqual([
        change,
        error,
        400,
      ])
      expect(body.refusal).toMatch(/^The app/)
    }
  })

  it('can’t be granted for an organisation that is not one’s own', async () => {
    const { body: app } = await register()
    for (const id of [otherOrganizationId, crypto.randomUUID()]) {
      const request = {
        client_id: String(app.client_id),
        redirect_uri: redirectUri,
        response_type: 'code',
        code_challenge: makePkce().challenge,
        code_challenge_method: 'S256',
      }
      const reply = await server.call('/api/v1/account/apps', {
        token,
        body: { request, organizationId: id, scopes: ['read'] },
      })
      expect([reply.status, ((await reply.json()) as Json).code]).toEqual([404, 'organization_not_found'])
    }
  })
})

describe('POST /oauth/token', () => {
  it('gives tokens for a code once; a second use revokes them', async () => {
    const { clientId, form } = await getCode()
    const first = await postForm('/oauth/token', form)
    const access = String(first.body.access_token)
    expect(await probe(access)).toBe(200)
    expect(await postForm('/oauth/token', form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await probe(access)).toBe(401)
    const given = { clientId, access, refresh: String(first.body.refresh_token) }
    expect((await refresh(given)).status).toBe(400)
  })

  it('gives tokens to one of many who send a code at once, and then to no one', async () => {
    const { form } = await getCode()
    const answers = await Promise.all(Array.from({ length: 8 }, () => postForm('/oauth/token', form)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect(await probe(String(given[0]?.body.access_token))).toBe(401)
  })

  it('refuses a code without its verifier, app or address', async () => {
    const wrong = [
      { code_verifier: makePkce().verifier },
      { code_verifier: '' },
      { client_id: String((await register()).body.client_id) },
      { redirect_uri: 'http://127.0.0.1:1/callback' },
      { code: `esc_${'0'.repeat(64)}` },
    ]
    for (const change of wrong) {
      const { form } = await getCode()
      const { status, body } = await postForm('/oauth/token', { ...form, ...change })
      expect([change, status, body.error]).toEqual([change, 400, 'invalid_grant'])
      // A try with something wrong uses the code up.
      if (!('code' in change)) expect((await postForm('/oauth/token', form)).status).toBe(400)
    }
    const { form } = await getCode()
    expect((await postForm('/oauth/token', { ...form, resource: 'https://other.example' })).body.error).toBe(
      'invalid_target',
    )
    await server.client.query(`update app.oauth_codes set expires_at = now() - interval '1 second'`)
    expect((await postForm('/oauth/token', form)).body.error).toBe('invalid_grant')
  })

  it('rotates refresh tokens, again for a repeated request, and revokes the connection when one comes back later', async () => {
    const first = await connect()
    const { body } = await refresh(first)
    const repeated = await Promise.all([refresh(first), refresh(first)])
    expect(repeated.map(({ status }) => status)).toEqual([200, 200])
    expect(await probe(String(repeated[0]?.body.access_token))).toBe(200)
    const second = { ...first, access: String(body.access_token), refresh: String(body.refresh_token) }
    expect([await probe(first.access), await probe(second.access)]).toEqual([200, 200])
    expect((await refresh(second, { client_id: String((await register()).body.client_id) })).status).toBe(400)
    // It registers again.
    const stranger = await refresh(second, { client_id: crypto.randomUUID() })
    expect([stranger.status, stranger.body.error]).toEqual([401, 'invalid_client'])
    await server.client.query(`update app.oauth_tokens set used_at = used_at - interval '31 seconds'`)
    expect(await refresh(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect([await probe(first.access), await probe(second.access), (await refresh(second)).status]).toEqual([
      401, 401, 400,
    ])
    const findEntry = async () =>
      (
        await server.client.query(
          `select action, after from audit_log where organization_id = $1 and after ->> 'cause' = 'reuse' limit 1`,
          [organizationId],
        )
      ).rows[0]
    await eventually(findEntry).toMatchObject({ action: 'connected_app.disconnected' })
  })

  it('refuses what is no form, in the protocol’s own words', async () => {
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${server.url}/oauth/token`, { method: 'POST', headers: { 'content-type': type }, body })
    const bodies: [string, string?][] = [
      [''],
      ['grant_type=password&username=a'],
      ['grant_type=refresh_token&grant_type=refresh_token'],
      ['{"grant_type":"refresh_token"}', 'application/json'],
      ['__proto__=x&grant_type=authorization_code'],
      ['x'.repeat(50_000)],
      ['grant_type', 'text/plain'],
    ]
    for (const [body, type] of bodies) {
      const reply = await send(body, type)
      const { error } = (await reply.json()) as { error: string }
      expect([body.slice(0, 30), reply.status >= 400 && reply.status < 500, typeof error]).toEqual([
        body.slice(0, 30),
        true,
        'string',
      ])
    }
  })

  it('stores no secret', async () => {
    const { access, refresh: text } = await connect()
    const { rows } = await server.client.query(
      `select (select string_agg(t::text, '') from app.oauth_tokens t) || (select string_agg(c::text, '') from app.oauth_codes c) as all`,
    )
    for (const secret of [access, text]) expect(rows[0].all).not.toContain(secret.slice(4))
    expect(server.logLines.join('')).not.toMatch(/es[acr]_[0-9a-f]{8}/)
  })
})

describe('access ends', () => {
  it('at the next call when the person disconnects the app', async () => {
    const { access } = await connect({ scopes: ['read', 'write'] })
    const client = await connectMcp(server.url, access)
    expect((await client.call('list_projects')).isError).toBe(false)
    const [app] = await listApps()
    const reply = await server.call(`/api/v1/account/apps/${app?.id}`, { token, method: 'DELETE' })
    expect(reply.status).toBe(204)
    await expect(client.call('add_note', { id: itemId, text: 'Too late.' })).rejects.toThrow()
    expect((await readItem()).comments.filter(({ text }) => text === 'Too late.')).toEqual([])
    expect((await listApps()).map(({ id }) => id)).not.toContain(app?.id)
    expect((await server.call(`/api/v1/account/apps/${app?.id}`, { token, method: 'DELETE' })).status).toBe(404)
  })

  it('when the app gives its token back', async () => {
    for (const kind of ['access', 'refresh'] as const) {
      const connected = await connect()
      expect((await postForm('/oauth/revoke', { token: connected[kind] })).status).toBe(200)
      expect([await probe(connected.access), (await refresh(connected)).status]).toEqual([401, 400])
    }
    expect((await postForm('/oauth/revoke', { token: 'unknown' })).status).toBe(200)
  })

  it('with the membership, the account’s good standing, and the organisation', async () => {
    const member = await createMember(server.client, { organizationId, role: 'viewer' })
    const as = await server.signIn(member)
    const connected = await connect({ as })
    const set = (sql: string, id: string) => server.client.query(sql, [id])
    const ends: [end: string, restore: string, id: string][] = [
      [
        `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
        'update auth.users set banned_until = null where id = $1',
        member.id,
      ],
      [
        `update organizations set closed_at = now(), delete_after = now() + interval '1 day' where id = $1`,
        'update organizations set closed_at = null, delete_after = null where id = $1',
        organizationId,
      ],
    ]
    for (const [end, restore, id] of ends) {
      expect(await probe(connected.access)).toBe(200)
      await set(end, id)
      expect([await probe(connected.access), (await refresh(connected)).status]).toEqual([401, 400])
      await set(restore, id)
    }
    await server.client.query('delete from memberships where user_id = $1', [member.id])
    expect(await probe(connected.access)).toBe(401)
    // A new membership does not bring it back.
    await server.client.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'viewer')`, [
      organizationId,
      member.id,
    ])
    expect([await probe(connected.access), (await refresh(connected)).status]).toEqual([401, 400])
  })

  it('for an access token after an hour', async () => {
    const connected = await connect()
    await server.client.query(`update app.oauth_tokens set expires_at = now() where kind = 'access'`)
    expect(await probe(connected.access)).toBe(401)
    expect((await refresh(connected)).status).toBe(200)
  })
})

it('a token of a connected app opens nothing but /mcp, and a session’s token not that', async () => {
  const { access, refresh: text } = await connect({ scopes: ['read', 'write'] })
  for (const each of [access, text]) {
    for (const path of [
      `/api/v1/organizations/${organizationId}/feedback`,
      '/api/v1/account/apps',
      '/api/v1/feedback',
      '/auth/v1/user',
    ]) {
      const { status } = await server.call(path, { token: each })
      expect([path, [401, 403].includes(status)]).toEqual([path, true])
    }
  }
  expect([await probe(text), await probe(token)]).toEqual([401, 401])
})

it('consent is in the audit log, and a person sees no one else’s apps', async () => {
  const member = await createMember(server.client, { organizationId, role: 'member' })
  const as = await server.signIn(member)
  await connect({ as })
  const [app] = await listApps(as)
  expect(await listApps(as)).toHaveLength(1)
  expect((await listApps()).map(({ id }) => id)).not.toContain(app?.id)
  expect((await server.call(`/api/v1/account/apps/${app?.id}`, { token, method: 'DELETE' })).status).toBe(404)
  const summary = async () =>
    (
      (await (await server.call(`/api/v1/organizations/${organizationId}/audit`, { token })).json()) as {
        items: { target: { id: string }; summary: string }[]
      }
    ).items.find(({ target }) => target.id === app?.id)?.summary
  await eventually(summary).toBe('Ada Example connected the app By hand (127.0.0.1:33418) with the scopes read')
})
