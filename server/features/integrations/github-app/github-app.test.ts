import { createEmulator, type Emulator } from 'emulate'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { GithubApp, GithubRepository } from '#contract/github-app.ts'
import type { Integration } from '#contract/integrations.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { type GithubAppDouble, startGithubAppDouble } from '#doubles/github-app.ts'
import { addMember, type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* An App of the customer's own: created from a manifest, installed, and used for issues as a token is. */

const repository = 'octocat/website'
const upstreamToken = 'github_pat_of_the_test'

let emulator: Emulator
let github: GithubAppDouble
let server: TestServer
let owner: BuiltUser
let session: string
let organizationId: string

beforeAll(async () => {
  emulator = await createEmulator({
    service: 'github',
    port: await findFreePort(),
    seed: {
      tokens: { [upstreamToken]: { login: 'octocat', scopes: ['repo'] } },
      github: {
        users: [{ login: 'octocat', name: 'The Octocat', email: 'octocat@example.com' }],
        repos: [{ owner: 'octocat', name: 'website', auto_init: true }],
      },
    },
  })
  github = await startGithubAppDouble({
    upstream: { url: emulator.url, token: upstreamToken },
    repositories: [{ name: repository }, { name: 'octocat/docs', hasIssues: false }],
  })
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(async () => {
  await server.stop()
  await Promise.all([github.stop(), emulator.close()])
})

beforeEach(async () => {
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  session = await server.signIn(owner)
})

const request = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  server.call(`/api/v1/organizations/${organizationId}${path}`, { token: session, ...options })

async function call<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await request(path, options)
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (await reply.json()) as T
}

const readProblem = async (reply: Response) => {
  const { code, detail } = (await reply.json()) as { code: string; detail?: string }
  return [reply.status, code, ...(detail === undefined ? [] : [detail])]
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

/** The form of a page, as a browser posts it. */
async function pressButton(page: string, base: string): Promise<Response> {
  const decode = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const action = decode(/action="([^"]+)"/.exec(page)?.[1] ?? '')
  const manifest = /name="manifest" value="([^"]*)"/.exec(page)?.[1]
  return fetch(new URL(action, base), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(manifest === undefined ? {} : { manifest: decode(manifest) }),
  })
}

/** From Earshot's page through GitHub's to the return address. */
async function createOnGithub(wanted: { account?: string } = {}): Promise<{ id: string; code: string; state: string }> {
  const started = await call<{ id: string; continueTo: string }>('/github-apps', {
    body: { webUrl: github.url, ...wanted },
  })
  const confirm = await pressButton(await (await fetch(started.continueTo)).text(), github.url)
  expect(confirm.status, await confirm.clone().text()).toBe(200)
  const back = new URL((await pressButton(await confirm.text(), github.url)).headers.get('location') ?? '')
  expect(back.pathname).toBe(`/dashboard/integrations/github-app/${started.id}`)
  const { code = '', state = '' } = Object.fromEntries(back.searchParams)
  return { id: started.id, code, state }
}

async function createApp(): Promise<GithubApp> {
  const { id, code, state } = await createOnGithub()
  return call<GithubApp>(`/github-apps/${id}/credentials`, { body: { code, state } })
}

const install = async ({ installUrl }: GithubApp) => pressButton(await (await fetch(installUrl)).text(), installUrl)

const getApp = () => {
  const app = github.apps.at(-1)
  if (!app) throw new Error('no App was created')
  return app
}

async function connect(): Promise<Integration> {
  const app = await createApp()
  await install(app)
  return call<Integration>(`/github-apps/${app.id}/integration`, { body: { repository, labels: 'feedback' } })
}

async function makeItem(message = 'The basket empties itself.'): Promise<string> {
  const project = await createProject(server.client, { organizationId })
  return (await createFeedback(server.client, { organizationId, projectId: project.id, message })).id
}

const listLinks = async (itemId: string) => (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items

const readIntegration = async (id: string) =>
  (await call<{ items: Integration[] }>('/integrations')).items.find((each) => each.id === id)

describe('a GitHub App', () => {
  it('is created from a manifest, installed, and connected to a repository; its issues stay alike both ways', async () => {
    const { id, code, state } = await createOnGithub({ account: 'acme' })
    expect(getApp()).toMatchObject({
      account: 'acme',
      manifest: { hook_attributes: { url: `${server.url}/api/v1/hooks/${organizationId}/${id}` } },
    })
    expect(await call<{ items: GithubApp[] }>('/github-apps')).toEqual({ items: [] })
    const app = await call<GithubApp>(`/github-apps/${id}/credentials`, { body: { code, state } })
    expect(app).toMatchObject({ id, installUrl: `${github.url}/github-apps/${getApp().slug}/installations/new` })
    expect(JSON.stringify(app)).not.toContain('PRIVATE KEY')
    // Back without installing it: it can be continued from the list.
    expect(await call<{ items: GithubApp[] }>('/github-apps')).toEqual({ items: [app] })
    const repositories = () =>
      call<{ isInstalled: boolean; items: GithubRepository[] }>(`/github-apps/${id}/repositories`)
    expect(await repositories()).toEqual({ isInstalled: false, items: [], isCut: false })
    const early = await request(`/github-apps/${id}/integration`, { body: { repository } })
    expect(await readProblem(early)).toEqual([
      422,
      'integration_refused',
      'The GitHub App is not installed in octocat/website. Install it there on GitHub.',
    ])

    const back = await install(app)
    expect(back.headers.get('location')).toMatch(
      `${server.url}/dashboard/integrations/github-app/${id}?installation_id=`,
    )
    expect((await repositories()).items).toEqual([
      { name: 'octocat/docs', hasIssues: false },
      { name: repository, hasIssues: true },
    ])
    const integration = await call<Integration>(`/github-apps/${id}/integration`, { body: { repository } })
    expect(integration).toMatchObject({ id, account: repository, storedSecrets: ['app'], state: 'active' })
    expect(integration).not.toHaveProperty('secret')
    expect(JSON.stringify([integration, await readIntegration(id)])).not.toMatch(/PRIVATE KEY|ghs_/)
    expect(await call<{ items: GithubApp[] }>('/github-apps')).toEqual({ items: [] })

    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId: id } })
    await until(async () => expect(await listLinks(itemId)).toMatchObject([{ state: 'linked', failure: null }]))
    const number = Number((await listLinks(itemId))[0]?.label?.split('#')[1])
    await fetch(`${emulator.url}/repos/${repository}/issues/${number}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${upstreamToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'closed', state_reason: 'completed' }),
    })
    const payload = { action: 'closed', issue: { number }, repository: { full_name: repository } }
    expect((await github.callHook({ ...getApp(), hookSecret: 'forged' }, 'issues', payload)).status).toBe(401)
    expect((await github.callHook(getApp(), 'issues', payload)).status).toBe(204)
    expect((await github.callHook(getApp(), 'installation', { action: 'created' })).status).toBe(204)
    await until(async () => expect((await call<FeedbackDetail>(`/feedback/${itemId}`)).status).toBe('resolved'))
    // One token serves an hour, and no log keeps it.
    const used = github.tokens.length
    await call(`/feedback/${itemId}/issues`).catch(() => undefined)
    const { rows } = await server.client.query<{ text: string }>(
      `select coalesce(string_agg(request || response, ' '), '') as text from delivery_attempts where organization_id = $1`,
      [organizationId],
    )
    expect(rows[0]?.text).toContain('authorization: Bearer •••')
    expect(rows[0]?.text).not.toMatch(/ghs_|eyJ/)
    expect(github.tokens.length).toBe(used)
    // The App's own secret signs its calls.
    const rotated = await request(`/integrations/${id}/secret`, { body: { overlapHours: 1 } })
    expect(await readProblem(rotated)).toEqual([409, 'integration_unsigned'])
    const edited = await call<Integration>(`/integrations/${id}`, {
      method: 'PATCH',
      body: { config: { labels: 'web' } },
    })
    expect(edited).toMatchObject({ config: { labels: 'web' }, storedSecrets: ['app'] })
  })

  it('takes each state once, in the session that it was made for', async () => {
    const { id, code, state } = await createOnGithub()
    const exchange = (token: string, body: object = {}) =>
      request(`/github-apps/${id}/credentials`, { token, body: { code, state, ...body } })
    const other = await createUser(server.client)
    await addMember(server.client, { organizationId, userId: other.id, role: 'owner' })
    const invalid = [400, 'github_app_state_invalid']
    expect(await readProblem(await exchange(await server.signIn(other)))).toEqual(invalid)
    expect(await readProblem(await exchange(await server.signIn(owner)))).toEqual(invalid)
    expect(await readProblem(await exchange(session, { state: 'x' }))).toEqual(invalid)
    expect((await exchange(session)).status).toBe(200)
    expect(await readProblem(await exchange(session))).toEqual(invalid)
    expect((await fetch(`${server.url}/api/v1/github-apps/${state}`)).status).toBe(404)

    const late = await createOnGithub()
    await server.client.query(`update github_apps set expires_at = now() - interval '1 second' where id = $1`, [
      late.id,
    ])
    const reply = await request(`/github-apps/${late.id}/credentials`, { body: { code: late.code, state: late.state } })
    expect(await readProblem(reply)).toEqual(invalid)
    const unknown = await createOnGithub()
    const refused = await request(`/github-apps/${unknown.id}/credentials`, {
      body: { code: 'unknown', state: unknown.state },
    })
    expect(await readProblem(refused)).toEqual([
      422,
      'integration_refused',
      'GitHub no longer knows this code. Start again.',
    ])
  })

  it('shows on the integration that it was suspended, uninstalled or deleted, and works again when that ends', async () => {
    const { id } = await connect()
    const app = getApp()
    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId: id } })
    await until(async () => expect(await listLinks(itemId)).toMatchObject([{ state: 'linked' }]))
    const test = async () => {
      const { status, failure } = await call<{ status: number | null; failure: string | null }>(
        `/integrations/${id}/test`,
        { method: 'POST' },
      )
      return status === null || failure !== null ? failure : 'works'
    }
    const { installation } = app
    expect(await test()).toBe('works')
    if (installation) installation.isSuspended = true
    expect(await test()).toBe('The GitHub App is suspended. Unsuspend it on GitHub.')
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'resolved' } })
    await until(async () =>
      expect(await readIntegration(id)).toMatchObject({
        state: 'failing',
        reason: 'The GitHub App is suspended. Unsuspend it on GitHub.',
      }),
    )
    app.installation = undefined
    expect(await test()).toBe('The GitHub App is not installed in octocat/website. Install it there on GitHub.')
    // Installed again, it has another id.
    await pressButton(
      await (await fetch(`${github.url}/github-apps/${app.slug}/installations/new`)).text(),
      `${github.url}/github-apps/${app.slug}/installations/new`,
    )
    expect(await test()).toBe('works')
    expect(await listLinks(itemId)).toMatchObject([{ state: 'linked' }])
    github.endTokens()
    expect(await test()).toBe('works')
    github.endTokens()
    app.isDeleted = true
    expect(await test()).toMatch(/^GitHub does not accept the App/)
  })
})
