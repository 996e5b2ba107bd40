import { type Page, test } from '@playwright/test'
import { postToProduct, readJson, startSession } from './accounts.ts'
import { startCustomerWebsite } from './customer-website.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { type Product, startProduct } from './start-product.ts'
import { createTeam, type Team, type TeamProject } from './team.ts'
import { visit, writeSnippet } from './visitor.ts'

/* Read-only mode stops every change of an instance, so it has a product of its own. */
const names = ['EARSHOT_URL', 'EARSHOT_MAIL_URL', 'EARSHOT_DATA_DIR'] as const
const before = names.map((name) => [name, process.env[name]] as const)
let product: Product
/** Its owner has the first account, and so runs the instance. */
let team: Team
let project: TeamProject

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  product = await startProduct()
  Object.assign(process.env, {
    EARSHOT_URL: product.url,
    EARSHOT_MAIL_URL: product.mailUrl,
    EARSHOT_DATA_DIR: product.dataDir,
  })
  team = await createTeam(browser)
  project = await team.makeProject('Northwind')
})
test.afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await product?.stop()
})

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Earshot is read-only for maintenance.' })

test('a superadmin makes Earshot read-only; everyone reads, no one changes, and it ends by itself for all', async ({
  browser,
}) => {
  await project.send('The chair wobbles.')
  const context = await browser.newContext({ baseURL: product.url, storageState: team.storageState })
  const page = await context.newPage()
  const colleague = await team.openColleague('Ada Lovelace')
  await colleague.goto(project.inbox)
  await expect(colleague.getByText('The chair wobbles.').first()).toBeVisible()

  await page.goto('/dashboard/superadmin/maintenance')
  await expect(page).toHaveTitle('Maintenance · Earshot')
  await expect(page.getByRole('region', { name: 'Read-only mode' })).toContainText('Off')
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Make read-only' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('All changes are refused until you end it.')
  await dialog.getByLabel('Message').fill('We move to a larger server.')
  await dialog.getByLabel('Expected end').fill('2020-01-31T22:00')
  await dialog.getByRole('button', { name: 'Make read-only' }).click()
  await expect(dialog.getByText('must be in the future')).toBeVisible()
  await expectGoodLooks(page)
  await dialog.getByLabel('Expected end').fill('2099-01-31T22:00')
  await dialog.getByRole('button', { name: 'Make read-only' }).click()
  await expect(page.getByRole('region', { name: 'Read-only mode' })).toContainText('Grace Hopper')
  await expect(banner(page)).toContainText('We move to a larger server.')

  // An open screen learns it without a click, and still shows everything.
  await expect(banner(colleague)).toContainText('Expected to end on 31 Jan 2099, 22:00.')
  await expectGoodLooks(colleague)
  await colleague.reload()
  await expect(colleague.getByText('The chair wobbles.').first()).toBeVisible()
  await expect(banner(colleague)).toBeVisible()

  // The owner can change nothing: the control answers, and what was typed stays.
  const owner = await context.newPage()
  await owner.goto('/dashboard/projects/new')
  await owner.getByLabel('Name').fill('Southwind')
  await owner.getByLabel('Domain').fill('southwind.example')
  await owner.getByRole('button', { name: 'Create project' }).click()
  await expect(owner.getByText('Nothing was changed', { exact: true })).toBeVisible()
  await expect(owner.getByLabel('Name')).toHaveValue('Southwind')
  await expectGoodLooks(owner)
  // Whatever the screen shows, the server decides.
  const session = await startSession(team.person)
  const refused = await postToProduct(
    `/api/v1/organizations/${team.organizationId}/projects`,
    { name: 'Southwind', domain: 'southwind.example' },
    session.access_token,
  )
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])

  await page.getByRole('button', { name: 'Change banner' }).click()
  await dialog.getByLabel('Message').fill('Nearly done.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(banner(page)).toContainText('Nearly done.')
  await page.getByRole('button', { name: 'End read-only mode' }).click()
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'End read-only mode' }).click()
  await expect(page.getByRole('region', { name: 'Read-only mode' })).toContainText('Off')
  await expect(banner(page)).toHaveCount(0)
  await expect(banner(colleague)).toHaveCount(0, { timeout: 20_000 })
  await owner.getByRole('button', { name: 'Create project' }).click()
  await expect(owner.getByRole('heading', { name: 'Southwind' })).toBeVisible()

  await page.goto('/dashboard/superadmin/audit')
  for (const words of ['made the instance read-only', 'changed the message', 'ended read-only mode']) {
    await expect(page.getByText(words).first()).toBeVisible()
  }
  await context.close()
  await colleague.context().close()
})

test('feedback that a visitor sends meanwhile waits in the browser, and arrives once', async ({ browser }) => {
  const { access_token } = await startSession(team.person)
  const turn = (method: 'PUT' | 'DELETE', body?: object) =>
    readJson(
      fetch(`${product.url}/api/v1/superadmin/maintenance`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const website = await startCustomerWebsite(() => writeSnippet(project.widgetKey))
  const visitor = await visit(browser, website.url)
  try {
    await visitor.open()
    await turn('PUT', { message: null, endsAt: new Date(Date.now() + 5_000).toISOString() })
    const answers: number[] = []
    visitor.page.on('response', (response) => {
      if (response.url().endsWith('/submissions')) answers.push(response.status())
    })
    await visitor.write('The drawer sticks.')
    await visitor.takePicture()
    await visitor.press('Send feedback')
    const kept = visitor.panel.getByText('Your text is saved on this device and we keep trying.')
    await expect(kept).toBeVisible({ timeout: 30_000 })
    expect(new Set(answers)).toEqual(new Set([503]))
    // A closed tab loses nothing either.
    await visitor.page.reload()
    await expect(visitor.page.getByRole('button', { name: 'Feedback', exact: true })).toBeVisible()
    expect((await project.listItems()).filter(({ excerpt }) => excerpt === 'The drawer sticks.')).toEqual([])

    await turn('DELETE')
    const arrived = async () =>
      (await project.listItems()).filter(({ excerpt }) => excerpt === 'The drawer sticks.').length
    await expect.poll(arrived, { timeout: 60_000 }).toBe(1)
    await expect.poll(() => answers.at(-1), { timeout: 20_000 }).toBe(201)
    expect(answers.filter((status) => status < 300)).toEqual([201])
    // Whatever is sent again is the same item.
    await visitor.page.reload()
    await expect(visitor.page.getByRole('button', { name: 'Feedback', exact: true })).toBeVisible()
    expect(await arrived()).toBe(1)
  } finally {
    await turn('DELETE')
    await visitor.leave()
    await website.stop()
  }
})
