import type { Page } from '@playwright/test'
import { startJiraDouble } from '#doubles/jira.ts'
import { type Receiver, startReceiver } from '#server/testing/receiver.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test as base } from './team.ts'

/** With a server that webhooks can be sent to. */
const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver()
    await use(receiver)
    await receiver.stop()
  },
})

const dialog = (page: Page) => page.getByRole('dialog')

test('an owner connects a webhook, retries a failed delivery and disconnects it; a colleague sees its state', async ({
  page,
  receiver,
  team,
}) => {
  const project = await team.makeProject('Fabrikam')
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Integrations' }).click()
  await expect(page).toHaveTitle('Integrations · Earshot')
  await expect(page.getByText('No integrations yet')).toBeVisible()
  await expectGoodLooks(page)

  // The form names what is wrong at its field: first by itself, then as the server says.
  await page.getByRole('link', { name: 'Connect Webhook' }).click()
  const address = page.getByLabel('Address')
  await page.getByRole('button', { name: 'Connect Webhook' }).click()
  await expect(page.getByText('Address is required.')).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill('http://10.0.0.1/hook')
  await page.getByLabel('Headers').fill('Host: other.example')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Connect Webhook' }).click()
  await expect(page.getByText('Earshot sets the header Host itself.')).toBeVisible()
  await page.getByLabel('Headers').fill('X-Token: sesame-open')
  await page.getByRole('button', { name: 'Connect Webhook' }).click()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await expectGoodLooks(page)
  await address.fill(receiver.url)
  await page.getByLabel('Name').fill('Our bot')
  await page.getByLabel('Imported feedback').check()
  await page.getByRole('button', { name: 'Project: Any' }).click()
  await page.getByRole('combobox', { name: 'Project' }).fill(project.name)
  await page.getByRole('option', { name: project.name }).click()
  await expect(page.getByRole('button', { name: `Project: ${project.name}` })).toBeVisible()
  await expect(page.getByText('0 items match now.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect Webhook' }).click()

  await expect(page.getByText('Copy the secret now. You can’t see it again.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Signing secret' })).toHaveText(/^whsec_[\w+/]{20,}=*$/)
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByText(/^Test delivered\. The service answered 200 in \d+ ms\.$/)).toBeVisible()
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'integration.test' })
  expect(receiver.received[0]?.headers['x-token']).toBe('sesame-open')
  await expectGoodLooks(page)

  // Items of visitors arrive, and appear in the log without a reload.
  await page.getByRole('link', { name: 'View integration' }).click()
  const log = page.getByRole('list', { name: 'Deliveries', exact: true })
  await expect(log.locator(':scope > li')).toHaveCount(1)
  await project.send('The basket empties itself')
  await receiver.waitFor(2)
  const first = log.locator(':scope > li').filter({ hasText: 'New feedback' })
  await expect(first).toContainText('Delivered · 200 in', { timeout: 20_000 })
  await first.locator('summary').first().focus()
  await page.keyboard.press('Enter')
  await expect(first.getByRole('region', { name: 'Body' })).toContainText('"message": "The basket empties itself"')
  await expect(first.getByRole('region', { name: 'Request of attempt 1' })).toContainText('webhook-signature')
  await expect(first).not.toContainText('sesame-open')
  await first.locator('summary').first().click()

  // A failing receiver: state, reason and log say so, and a retry mends it.
  receiver.answer((_, response) => response.writeHead(503).end('out of order'))
  await project.send('It squeaks')
  const second = log.locator(':scope > li').filter({ hasText: 'The service answered 503' })
  await expect(second).toContainText('Waiting · 503 in', { timeout: 20_000 })
  await expect(page.getByRole('heading', { name: 'Deliveries are failing' })).toBeVisible({ timeout: 20_000 })
  await second.locator('summary').first().click()
  await expect(second.getByRole('region', { name: /^Response of attempt/ }).first()).toContainText('out of order')
  await expectGoodLooks(page)
  receiver.answer((_, response) => response.writeHead(204).end())
  const sent = receiver.received.length
  await log.getByRole('button', { name: 'Retry now' }).click()
  await receiver.waitFor(sent + 1)
  await expect(page.getByRole('heading', { name: 'Deliveries are failing' })).toBeHidden({ timeout: 20_000 })
  await expect(log.locator(':scope > li').filter({ hasText: 'Delivered · 204' })).toContainText(/[23] attempts/)
  await page.getByLabel('State').selectOption('Failed')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()

  // Colleagues see the state, and nothing to press.
  const colleague = await team.openColleague('Ada Lovelace')
  await colleague.goto('/dashboard/integrations')
  await expect(colleague.getByText('Only owners can connect and change integrations.')).toBeVisible()
  await expect(colleague.getByRole('link', { name: 'Connect Webhook' })).toHaveCount(0)
  await colleague.getByRole('link', { name: 'Our bot' }).click()
  await expect(colleague.getByText('Only owners can see deliveries and change this integration.')).toBeVisible()
  await expect(colleague.getByText('Active')).toBeVisible()
  await expect(colleague.getByRole('main').getByRole('button')).toHaveCount(0)
  await expectGoodLooks(colleague)
  await colleague.context().close()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  await expect(dialog(page)).toContainText('credentials, links to issues and delivery log')
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('No integrations yet')).toBeVisible()

  await page.goto('/dashboard/organization/audit?category=integrations')
  const audit = page.getByRole('list', { name: 'Audit log' })
  await expect(audit.getByText('Grace Hopper disconnected Our bot')).toBeVisible({
    timeout: 20_000,
  })
  await expect(audit.getByText('Grace Hopper connected Our bot')).toBeVisible()
})

test('an owner pauses a webhook, edits it, replays the events that it missed and replaces its secret', async ({
  page,
  receiver,
  team,
}) => {
  const project = await team.makeProject('Contoso')
  await page.goto('/dashboard/integrations/new/webhook')
  await page.getByLabel('Name').fill('Our bot')
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('Headers').fill('X-Token: sesame-open')
  await page.getByRole('button', { name: 'Project: Any' }).click()
  await page.getByRole('combobox', { name: 'Project' }).fill(project.name)
  await page.getByRole('option', { name: project.name }).click()
  await page.getByRole('button', { name: 'Connect Webhook' }).click()
  await page.getByRole('link', { name: 'View integration' }).click()
  await expect(page.getByText('No deliveries yet')).toBeVisible()

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('heading', { name: 'This integration is paused' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'This integration is paused' })).toBeHidden()
  await page.getByRole('button', { name: 'Pause' }).click()
  await project.send('Missed while paused')
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Headers', { exact: true })).toHaveAttribute(
    'placeholder',
    'Stored. Enter a new value to replace it.',
  )
  await expect(page.getByLabel('Headers', { exact: true })).toHaveValue('')
  await expectGoodLooks(page)
  await page.getByLabel('Name').fill('Support bot')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Support bot', level: 1 })).toBeVisible()

  // Events of the pause are delivered by a replay.
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  const before = receiver.received.length
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Replay events' }).click()
  await dialog(page).getByLabel('Events of').selectOption('The last hour')
  await dialog(page).getByRole('button', { name: 'Replay events' }).click()
  await expect(page.getByText('1 event queued', { exact: true })).toBeVisible()
  const replayed = (await receiver.waitFor(before + 1)).at(-1)
  expect(replayed?.body).toContain('Missed while paused')
  expect(replayed?.headers['x-token']).toBe('sesame-open')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Replace signing secret' }).click()
  await dialog(page).getByRole('button', { name: 'Replace secret' }).click()
  await expect(dialog(page).getByRole('region', { name: 'Signing secret' })).toHaveText(/^whsec_/)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
})

test('an owner connects Jira and sees when its token expires and how its changes arrive', async ({ page }) => {
  const jira = await startJiraDouble()
  await page.goto('/dashboard/integrations/new/jira')
  await page.getByLabel('Site').fill(jira.site.url)
  await page.getByLabel('Email').fill(jira.site.email)
  await page.getByLabel('API token').fill(jira.site.token)
  await page.getByLabel('Project key').fill('WEB')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Token expiry date').fill(inDays(-2))
  await page.getByRole('button', { name: 'Connect Jira' }).click()
  await expect(page.getByText('Token expiry date is in the past.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByLabel('Token expiry date').fill(inDays(12))
  await page.getByRole('button', { name: 'Connect Jira' }).click()
  await expect(page.getByText('Earshot adds a webhook with this secret to Jira.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('link', { name: 'View integration' }).click()
  await expect(page.getByText('Changes arrive at once.')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { name: /^The token expires on \d/ })).toBeVisible()
  await expect(page.getByText(/^Expires on \d/)).toBeVisible()
  await expectGoodLooks(page)
  jira.site.isAdmin = false
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Labels', { exact: true }).fill('feedback')
  await page.getByRole('button', { name: 'Save' }).click()
  const refusal =
    'Changes are asked for each minute, because Jira refused the webhook. The token may not register webhooks.'
  await expect(page.getByText(refusal)).toBeVisible({ timeout: 20_000 })
  await expectGoodLooks(page)
  await jira.stop()
})

/** A service with a field of every kind. */
const tracker = {
  type: 'tracker',
  name: 'Big Tracker',
  category: 'issues',
  summary: 'Creates an issue for each item.',
  guide: null,
  direction: 'two_way',
  isSigned: false,
  defaultEvents: ['feedback.created'],
  fields: [
    { name: 'url', label: 'Address', help: 'Of your instance.', placeholder: 'https://tracker.example', kind: 'url' },
    { name: 'project', label: 'Board', kind: 'text', isRequired: true },
    {
      name: 'kind',
      label: 'Issue type',
      kind: 'choice',
      isRequired: true,
      options: [
        { value: 'bug', label: 'Bug' },
        { value: 'task', label: 'Task' },
      ],
      defaultValue: 'task',
    },
    { name: 'addsPicture', label: 'Attach the screenshot', help: 'As a file.', kind: 'switch', defaultValue: true },
    { name: 'token', label: 'Access token', help: 'With the scope issues.', kind: 'text', isSecret: true },
  ].map((field) => ({
    help: null,
    placeholder: null,
    options: [],
    isSecret: false,
    isRequired: false,
    defaultValue: null,
    ...field,
  })),
}

test('many services can be searched, and the form of any is drawn from its fields', async ({ page }) => {
  const names = ['Chat One', 'Chat Two', 'Chat Three', 'Tracker One', 'Tracker Two', 'Tracker Three', 'Post', 'Push']
  const others = names.map((name) => ({
    ...tracker,
    type: name.replace(' ', '_').toLowerCase(),
    name,
    direction: 'one_way',
    category: name.startsWith('Chat') ? 'chat' : name.startsWith('P') ? 'email' : 'issues',
  }))
  await page.route('**/integration-types', (route) => route.fulfill({ json: { items: [...others, tracker] } }))
  const sent: unknown[] = []
  await page.route('**/integrations', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push(route.request().postDataJSON())
    const problem = { code: 'integration_refused', title: 'Refused', detail: 'The tracker has no board WEB.' }
    await route.fulfill({ status: 422, json: { ...problem, status: 422, requestId: '' } })
  })
  await page.goto('/dashboard/integrations')
  await expect(page.getByRole('heading', { name: 'Issue trackers' })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('searchbox', { name: 'Search services' }).fill('nothing like it')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search services' }).fill('big')
  await page.getByRole('link', { name: 'Connect Big Tracker' }).click()
  await page.getByLabel('Address').fill('tracker.example')
  await page.getByRole('button', { name: 'Connect Big Tracker' }).click()
  await expect(page.getByText('Enter a full address')).toBeVisible()
  await expect(page.getByText('Board is required.')).toBeVisible()
  await page.getByLabel('Address').fill('https://tracker.example')
  await page.getByLabel('Board').fill('WEB')
  await page.getByLabel('Issue type').selectOption('Bug')
  await page.getByRole('switch', { name: 'Attach the screenshot' }).click()
  await page.getByLabel('Access token').fill('secret-token')
  await page.getByRole('button', { name: 'Connect Big Tracker' }).click()
  await expect(page.getByRole('alert')).toHaveText('The tracker has no board WEB.')
  const config = { url: 'https://tracker.example', project: 'WEB', kind: 'bug', token: 'secret-token' }
  expect(sent).toEqual([
    {
      type: 'tracker',
      name: 'Big Tracker',
      config: { ...config, addsPicture: false },
      events: ['feedback.created'],
      rules: {},
    },
  ])
  await expectGoodLooks(page)
})

test('an owner maps statuses and labels of a tracker, and sees the issue that an item would become', async ({
  page,
  receiver,
  team,
}) => {
  const project = await team.makeProject('Tailspin Toys')
  receiver.answer((_, response) => response.end('{"full_name": "acme/website", "has_issues": true}'))
  await page.goto('/dashboard/integrations/new/github')
  await page.getByLabel('Repository').fill('acme/website')
  await page.getByLabel('Token').fill('github_pat_secret')
  await page.getByLabel('Labels', { exact: true }).fill('feedback')
  await page.getByLabel('API address').fill(receiver.url)
  await page.getByRole('button', { name: 'Project: Any' }).click()
  await page.getByRole('combobox', { name: 'Project' }).fill(project.name)
  await page.getByRole('option', { name: project.name }).click()
  await page.getByRole('button', { name: 'Connect GitHub Issues' }).click()
  await page.getByRole('link', { name: 'View integration' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()

  // Nothing to preview yet.
  await expect(page.getByText('No feedback matches yet.')).toBeVisible()
  await project.send('The basket empties itself')
  await project.send('## It squeaks <b>loudly</b>')
  await page.reload()
  const preview = page.getByRole('region', { name: 'Preview of the issue' })
  await expect(preview).toContainText('From #2 in')
  await expect(preview).toContainText('Open')
  await expect(preview.getByText('feedback', { exact: true })).toBeVisible()
  await expect(page.getByLabel('When feedback is In progress, the issue becomes')).toHaveValue('')
  await page.getByLabel('When feedback is New or Open, the issue becomes').selectOption('Closed')
  await page.getByLabel('Issues in Closed as not planned count as').selectOption('Resolved')
  await page.getByRole('switch', { name: 'Type as a label' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('switch', { name: 'Project as a label' }).click()
  // By what is in the form, not by what is stored.
  await expect(preview.getByText(project.name, { exact: true }).last()).toBeVisible()
  await expect(preview).toContainText('StatusClosed')
  await page.getByLabel('Item number').fill('1')
  await page.keyboard.press('Enter')
  await expect(preview.getByRole('heading')).toHaveText('The basket empties itself')
  await page.getByLabel('Item number').fill('999')
  await expect(page.getByText('There is no item #999 in the inbox.')).toBeVisible()
  await page.getByLabel('Item number').fill('')
  await expect(preview.getByRole('heading')).toContainText('It squeaks')
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('2 statuses selected')).toBeVisible()
  await expect(page.getByText('Labels from type, project')).toBeVisible()

  // A tracker with more of everything, one of whose statuses was deleted.
  await page.route('**/integration-types', async (route) => {
    const reply = await route.fetch()
    const { items } = await reply.json()
    const issues = { takes: ['labels', 'priority', 'assignee'], stages: ['todo', 'started', 'done', 'dropped'] }
    await route.fulfill({ json: { items: items.map((item: object) => ({ ...item, issues })) } })
  })
  let answersAgain = false
  await page.route('**/statuses', (route) => {
    const detail = 'The service answered 503. Deliveries are repeated.'
    const problem = { code: 'integration_refused', title: 'Refused', status: 422, detail, requestId: '' }
    if (!answersAgain) return route.fulfill({ status: 422, json: problem })
    const names = { todo: ['Backlog', 'Triage'], started: ['Doing', 'Review'], done: ['Done'], dropped: ['Won’t do'] }
    const items = Object.entries(names).flatMap(([stage, each]) => each.map((name) => ({ id: name, name, stage })))
    return route.fulfill({ json: { items } })
  })
  await page.goto(`${page.url()}/edit`)
  await expect(page.getByText('Couldn’t load the statuses of GitHub Issues')).toBeVisible()
  // The rest stays usable.
  await expect(preview).toContainText('From #2 in')
  await expect(page.getByRole('switch', { name: 'Assignee' })).toBeVisible()
  await expectGoodLooks(page)
  answersAgain = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The selected status was deleted. Issues become Backlog instead.')).toBeVisible()
  await page.getByLabel('Issues in a deleted status count as').selectOption('Remove this setting')
  await page.getByLabel('Issues in Review count as').selectOption('Resolved')
  await page.getByRole('switch', { name: 'Assignee' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t load the preview' })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('A selected value is not something that GitHub Issues takes.')).toBeVisible()
})
