import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { v7 as uuidV7 } from 'uuid'
import type { CreatedIntegration } from '#contract/integrations.ts'
import type { WidgetConfig } from '#contract/widget-config.ts'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import { readMails } from '#doubles/read-mails.ts'
import {
  createAccount,
  postToProduct,
  readJson,
  type StorageState,
  signedOutState,
  startSession,
  storeSession,
} from './accounts.ts'
import { test as base } from './product.ts'

export { signedOutState }

/** What a visitor sends, apart from what every submission holds. */
export type Sent = {
  message: string
  type?: 'bug' | 'idea' | 'question' | 'praise' | 'other'
  rating?: number
  email?: string
  name?: string
  page?: { url: string; title?: string }
  context?: Record<string, unknown>
  metadata?: Record<string, unknown>
  tags?: string[]
  fields?: Record<string, string | boolean>
  visitor?: { id: string }
  attachments?: { id: string; kind: string; name?: string }[]
}

/** An item as the API tells it. */
type Item = {
  id: string
  number: number
  status: string
  priority: string
  location: string
  tags: string[]
  assigneeId: string | null
  version: number
  excerpt: string
}

/** A project of its own for one test, so that tests share people but no feedback. */
export type TeamProject = {
  id: string
  name: string
  domain: string
  widgetKey: string
  /** The inbox, showing this project alone. */
  inbox: string
  /** Sends as a visitor's browser does, and answers the item's id. */
  send(sent: Sent | string): Promise<string>
  /** Sends whatever it is given, and answers what the server says. */
  post(body: Record<string, unknown>): Promise<Response>
  listItems(location?: 'inbox' | 'archived' | 'spam' | 'trash'): Promise<Item[]>
  getItem(id: string): Promise<Item>
  /** Deletes the whole project, as its owner does elsewhere. */
  remove(): Promise<void>
  /** Changes an item as a colleague elsewhere does. */
  changeItem(id: string, change: Record<string, unknown>): Promise<void>
  /** Permanently deletes the whole trash, or the given items of it. */
  emptyTrash(ids?: string[]): Promise<void>
  /** Writes a note or a reply as the team's owner does elsewhere. */
  addComment(id: string, kind: 'note' | 'reply', text: string): Promise<void>
  /** Changes what visitors see of the widget. */
  publish(change: Partial<WidgetSettings>): Promise<void>
  /** What the site signs its visitors' ids with. */
  getIdentitySecret(): Promise<string>
}

/** People with an organisation, signed in. */
export type Team = {
  person: { email: string; password: string; fullName: string }
  organizationName: string
  organizationId: string
  /** A browser in which the person is signed in. */
  storageState: StorageState
  makeProject(name: string): Promise<TeamProject>
  /** Adds a member and returns a browser page in which they are signed in. */
  openColleague(fullName: string, email?: string): Promise<Page>
  /** Connects a service, and answers its id and secret. */
  connect(integration: { type: string; config: Record<string, unknown> }): Promise<CreatedIntegration>
  /** Signs a person out everywhere, as from another device. */
  endSessions(email: string): Promise<void>
  /** Invites a person, as an owner. */
  invite(email: string, role: 'owner' | 'admin' | 'member' | 'viewer'): Promise<void>
}

/**
 * Playwright's `test` for those who are already in: every page starts signed in as the team's owner. Anything a page
 * complains about in its console fails the test, except answers that the test asked for.
 */
export const test = base.extend<{ project: TeamProject; complaints: string[] }, { team: Team }>({
  team: [async ({ browser }, use) => use(await createTeam(browser)), { scope: 'worker' }],
  storageState: async ({ team }, use) => use(team.storageState),
  project: async ({ team }, use) => use(await team.makeProject('Northwind')),
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('dialog', async (dialog) => {
        complaints.push(`A window said “${dialog.message()}”`)
        await dialog.dismiss()
      })
      page.on('console', (message) => {
        const isAnswer = message.text().startsWith('Failed to load resource')
        // The browser stops what the test itself would run in the frame of a replay.
        const isTest = message.text().startsWith("Blocked script execution in 'about:srcdoc'")
        if (message.type() === 'error' && !isAnswer && !isTest) complaints.push(message.text())
      })
      await use(complaints)
      base.expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** Signs a new owner up, without the forms: those have tests of their own. */
export async function createTeam(browser: Browser): Promise<Team> {
  const baseUrl = process.env.EARSHOT_URL ?? ''
  const id = randomUUID().slice(0, 8)
  const person = { email: `grace-${id}@example.com`, password: `pass-${id}-word`, fullName: 'Grace Hopper' }
  const organizationName = `Compilers ${id}`
  await createAccount(person, { organization_name: organizationName, full_name: person.fullName })
  const session = await startSession(person)
  const [organization] = await readJson<{ organization_id: string }[]>(
    postToProduct('/rest/v1/rpc/get_user_current_organization', { p_user_id: session.user.id }, session.access_token),
  )
  const organizationId = organization?.organization_id ?? ''
  const call: Call = (method, path, body) =>
    fetch(`${baseUrl}/api/v1/organizations/${organizationId}${path}`, {
      method,
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  const invite: Team['invite'] = async (email, role) => {
    await readJson(call('POST', '/invitations', { email, role }))
  }

  return {
    person,
    organizationName,
    organizationId,
    storageState: storeSession(await startSession(person)),
    makeProject: (name) => makeProject(baseUrl, call, name),
    invite,
    async endSessions(email) {
      const { access_token } = await startSession({ email, password: person.password })
      const reply = await postToProduct('/auth/v1/logout?scope=global', {}, access_token)
      if (!reply.ok) throw new Error(await reply.text())
    },
    connect: (integration) => readJson<CreatedIntegration>(call('POST', '/integrations', integration)),
    async openColleague(fullName, email = `colleague-${randomUUID().slice(0, 8)}@example.com`) {
      const { password } = person
      await invite(email, 'member')
      const mails = readMails(process.env.EARSHOT_MAIL_URL ?? '')
      const invited = (await mails.waitForMail(email)).links.find((link) => link.includes('/accept-invitation/')) ?? ''
      const token = decodeURIComponent(new URL(invited).pathname.split('/').at(-1) ?? '')
      await createAccount({ email, password }, { full_name: fullName, invitation_token: token })
      const session = await startSession({ email, password })
      const accept = `/api/v1/invitations/${encodeURIComponent(token)}/accept`
      await readJson(postToProduct(accept, {}, session.access_token))
      return (await browser.newContext({ baseURL: baseUrl, storageState: storeSession(session) })).newPage()
    },
  }
}

type Call = (method: string, path: string, body?: object) => Promise<Response>

async function makeProject(baseUrl: string, call: Call, name: string): Promise<TeamProject> {
  const domain = `${randomUUID().slice(0, 8)}.example`
  const project = await readJson<{ id: string; widgetKey: string }>(call('POST', '/projects', { name, domain }))
  const widget = `/projects/${project.id}/widget`
  const post = (body: Record<string, unknown>) =>
    fetch(`${baseUrl}/e/${project.widgetKey}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `https://${domain}` },
      body: JSON.stringify(body),
    })
  return {
    id: project.id,
    name,
    domain,
    widgetKey: project.widgetKey,
    inbox: `/dashboard/feedback?project=${project.id}`,
    post,
    async send(sent) {
      const parts = typeof sent === 'string' ? { message: sent } : sent
      const page = { url: `https://${domain}/chairs` }
      const body = { id: uuidV7(), type: 'bug', page, guard: { elapsedMs: 20_000 }, ...parts }
      return (await readJson<{ id: string }>(post(body))).id
    },
    listItems: async (location = 'inbox') =>
      (
        await readJson<{ items: Item[] }>(
          call('GET', `/feedback?projectId=${project.id}&location=${location}&limit=100`),
        )
      ).items,
    getItem: (id) => readJson<Item>(call('GET', `/feedback/${id}`)),
    async changeItem(id, change) {
      await readJson(call('PATCH', `/feedback/${id}`, change))
    },
    async remove() {
      const reply = await call('DELETE', `/projects/${project.id}`, { name })
      if (!reply.ok) throw new Error(await reply.text())
    },
    async emptyTrash(ids) {
      await readJson(call('POST', '/feedback/trash/empty', { ...(ids && { ids }) }))
    },
    async addComment(id, kind, text) {
      await readJson(call('POST', `/feedback/${id}/comments`, { id: uuidV7(), kind, text }))
    },
    async publish(change) {
      const { published } = await readJson<WidgetConfig>(call('GET', widget))
      await readJson(call('PUT', `${widget}/draft`, { ...published, ...change }))
      await readJson(call('POST', `${widget}/publish`, {}))
    },
    getIdentitySecret: async () =>
      (await readJson<{ secret: string }>(call('GET', `${widget}/identity-secret`))).secret,
  }
}
