import { readFile } from 'node:fs/promises'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

test('an owner reads, filters and exports who changed what', async ({ page, project, team }) => {
  const colleague = await team.openColleague('Ada Lovelace')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /Account menu$/ }).click()
  await page.getByRole('menuitem', { name: 'Audit log' }).click()
  await expect(page).toHaveURL(/\/dashboard\/organization\/audit$/)
  await expect(page).toHaveTitle('Audit log · Earshot')
  const log = page.getByRole('list', { name: 'Audit log' })
  await expect(log.getByText('Ada Lovelace joined with the role member')).toBeVisible()

  await page.goto(`/dashboard/projects/${project.id}/edit`)
  await page.getByLabel('Name').fill('Southwind')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('Southwind').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/dashboard/organization/audit')
  const changed = log.getByRole('listitem').filter({ hasText: 'Grace Hopper changed name of Southwind' })
  await expect(async () => {
    await page.reload()
    await expect(changed).toBeVisible({ timeout: 2000 })
  }).toPass()
  // By keyboard alone.
  await changed.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(changed.getByRole('row', { name: 'name Northwind Southwind' })).toBeVisible()
  await expect(changed.getByText(/HeadlessChrome|^Chrome \d+ on/)).toBeVisible()
  await expect(changed.getByText(/127\.0\.0\.1|::1/)).toBeVisible()
  await expectGoodLooks(page)

  await changed.getByRole('button', { name: 'Filter by this target' }).click()
  await expect(page).toHaveURL(new RegExp(`target=${project.id}`))
  await expect(log.getByText('Ada Lovelace joined')).toHaveCount(0)
  await expect(log.getByText('Grace Hopper created the project Northwind')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  // Enter waits for members who are still being read.
  await page.route('**/members?**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Everyone' }).click()
  await page.getByRole('combobox', { name: 'Actor' }).fill('ada')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Searching…')).toBeVisible()
  await expect(log.getByText('Ada Lovelace joined with the role member')).toBeVisible()
  await expect(log.getByText('Grace Hopper')).toHaveCount(0)
  await page.getByLabel('Category').selectOption('API keys')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await expectGoodLooks(page)

  await page.goto('/dashboard/organization/audit?category=projects')
  await expect(log).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain('Grace Hopper changed name of Southwind')
  expect(text).not.toContain('Ada Lovelace joined')

  // For owners alone: no link, and no screen.
  await colleague.goto('/dashboard/organization/audit')
  await expect(colleague.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await colleague.goto('/dashboard')
  await colleague.getByRole('button', { name: /Account menu$/ }).click()
  await expect(colleague.getByRole('menuitem', { name: 'Settings' })).toBeVisible()
  await expect(colleague.getByRole('menuitem', { name: 'Audit log' })).toHaveCount(0)
  await colleague.context().close()
})

test('the audit log says when it cannot be loaded, and loads again', async ({ page }) => {
  await page.route('**/audit?*', (route) => route.abort())
  await page.goto('/dashboard/organization/audit')
  await expect(page.getByRole('heading', { name: 'Couldn’t load the audit log' })).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/audit?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('list', { name: 'Audit log' })).toBeVisible()
})
