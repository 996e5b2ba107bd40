import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './superadmin.ts'

test('a superadmin reads the changes of the instance and of one organisation, and downloads them', async ({
  page,
  team,
}) => {
  await page.goto('/dashboard/superadmin/blog')
  await page.getByRole('button', { name: 'New post' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Seen in the log')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Seen in the log')

  await page.getByRole('navigation', { name: 'Superadmin' }).getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('list', { name: 'Audit log' })
  const entry = log.getByRole('listitem').filter({ hasText: 'created the post Seen in the log' })
  await entry.locator('summary').click()
  await expect(entry.getByText('None: the instance')).toBeVisible()
  await expectGoodLooks(page)
  await entry.getByRole('button', { name: 'Only changes of the instance' }).click()
  await expect(page.getByRole('button', { name: 'The instance Remove this filter' })).toBeVisible()
  await expect(log.getByText(team.organizationName)).toHaveCount(0)

  await page.getByLabel('Category').selectOption('Members')
  await expect(page.getByText('No entries match these filters.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'JSON Lines, for programs' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^audit-log-.*\.jsonl$/)
  await expect(log.getByText('exported the audit log as jsonl').first()).toBeVisible()
})
