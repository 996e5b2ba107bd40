import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/** A superadmin's team. */
const test = teamTest.extend<object, { team: Team }>({
  team: [
    async ({ browser }, use) => {
      const team = await createTeam(browser)
      await changeRows(
        `insert into app.superadmins (user_id) select user_id from memberships where organization_id = $1
         on conflict do nothing`,
        [team.organizationId],
      )
      await use(team)
    },
    { scope: 'worker' },
  ],
})

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a superadmin sees on the overview what works, what needs attention and how the instance grows', async ({
  page,
}) => {
  const name = `Ada ${Date.now()}`
  await changeRows(
    `insert into contact_messages (id, topic, name, email, message)
     values (gen_random_uuid(), 'question', $1, 'ada@example.com', 'Does it work with Vue?')`,
    [name],
  )
  await page.goto('/dashboard/superadmin')
  await expect(region(page, 'Health')).toContainText(/Database\s*Working/)
  await expect(region(page, 'Health')).toContainText(/Workers\s*\d+ running/)
  await expect(page.getByRole('list', { name: 'Growth' }).getByRole('listitem')).toHaveCount(5)
  await expect(region(page, 'Needs attention')).toContainText('unanswered')
  await expectGoodLooks(page)

  const message = page.getByRole('list', { name: 'Contact messages' }).getByRole('listitem').filter({ hasText: name })
  await message.getByRole('button', { name: 'Mark as answered' }).click()
  await expect(message).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(message).toBeVisible()
  await message.getByRole('button', { name: 'Mark as answered' }).click()
  await expect(message).toHaveCount(0)
})

test('a superadmin reads the metrics, changes the period and finds the organisations behind a figure', async ({
  page,
  team,
}) => {
  await changeRows(`select graphile_worker.add_job('fold_usage')`, [])
  const figure = page.getByRole('link', { name: /^New organisations [1-9].*: show organisations$/ })
  await expect(async () => {
    await page.goto('/dashboard/superadmin/metrics')
    await expect(figure).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  for (const title of ['Product usage', 'Activation funnel', 'Retention by week of sign-up', 'Definitions']) {
    await expect(region(page, title)).toBeVisible()
  }
  await expectGoodLooks(page)

  await page.getByLabel('Figure', { exact: true }).selectOption('Members joined')
  await page.getByRole('button', { name: 'Product usage: show as table' }).click()
  await expect(region(page, 'Product usage, table')).toContainText('Members joined')
  await page.getByLabel('Step').selectOption('By week')
  await expect(page).toHaveURL(/step=week/)
  await page.getByLabel('Period').selectOption('Custom range')
  await page.getByLabel('First day').fill('2026-03-02')
  await page.getByLabel('Last day').fill('2026-03-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The last day is before the first.')).toBeVisible()
  await page.getByLabel('Last day').fill('2026-03-08')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('No activity in this period')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByLabel('Period').selectOption('7 days')

  await figure.click()
  await expect(page.getByRole('heading', { name: /^New organisations,/ })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search organisations' }).fill(team.organizationName)
  const found = page.getByRole('list', { name: 'Organisations' }).getByRole('listitem')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText(team.organizationName)
  await expectGoodLooks(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^metrics-organizations-.*\.csv$/)
})

test('a superadmin tries the widget of a project: what it loads, offline, what arrives, and deletes it', async ({
  page,
  team,
}) => {
  const { widgetKey } = await team.makeProject('Northwind')
  await page.goto('/dashboard/superadmin/widget-test')
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('no such project')
  await expect(page.getByText('No projects found')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search projects' }).fill(widgetKey)
  const projects = region(page, 'Found projects').getByRole('button')
  await projects.first().click()
  const trial = page.frameLocator('iframe[title="Page with the widget"]')
  await expect(region(page, 'Loaded files')).toContainText('Widget loaded')
  await expect(region(page, 'Loaded files')).toContainText(/\.js/)

  await page.getByRole('radio', { name: 'Offline' }).click()
  // Its button keeps its place in the frame, so that the frame has to be in view.
  await page
    .locator('iframe[title="Page with the widget"]')
    .evaluate((frame) => frame.scrollIntoView({ block: 'center' }))
  await trial.getByRole('button', { name: 'Feedback' }).click()
  const message = `Tried on ${Date.now()}`
  await trial.getByRole('dialog').getByRole('textbox').first().fill(message)
  await trial.getByRole('button', { name: 'Send feedback' }).click()
  await expect(region(page, 'Requests')).toContainText('No answer')
  await expect(region(page, 'Received')).not.toContainText(message)
  await page.getByRole('radio', { name: 'Online' }).click()
  await expect(region(page, 'Received')).toContainText(message, { timeout: 30_000 })
  await expect(region(page, 'Requests')).toContainText('201')
  await expect(region(page, 'Events')).toContainText('submit')
  await expectGoodLooks(page)

  const item = page.getByRole('list', { name: 'Test items' }).getByRole('listitem').filter({ hasText: message })
  await item.getByRole('button', { name: /^Delete test item/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete test item' }).click()
  await expect(item).toHaveCount(0)

  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.getByRole('radio', { name: 'Phone' }).click()
  await page.getByLabel('Language').selectOption('German')
  await page.getByLabel('Content security policy').selectOption('No policy')
  await expect(region(page, 'Loaded files')).toContainText('Widget loaded')
  await expectGoodLooks(page)
})
