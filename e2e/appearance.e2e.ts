import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const readRow = (page: Page) =>
  page
    .locator('[data-item-id]')
    .first()
    .evaluate((row) => row.getBoundingClientRect().height)

test('theme and list density are set for this device', async ({ page, project }) => {
  await project.send('How high is this row?')
  await project.send({ message: 'And the one below?', visitor: { id: 'grace' } })
  await page.goto(project.inbox)
  await expect(page.locator('[data-item-id]')).toHaveCount(2)
  expect(await readRow(page)).toBe(64)

  await page.goto('/dashboard/settings')
  const root = page.locator('html')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('radio', { name: 'System' }).click()
  await expect(root).not.toHaveAttribute('data-theme')
  await page.getByRole('radio', { name: 'Compact' }).click()
  await expectGoodLooks(page)

  // From the first paint on.
  await page.goto(project.inbox, { waitUntil: 'commit' })
  await expect(root).toHaveAttribute('data-density', 'compact')
  await expect(page.locator('[data-item-id]')).toHaveCount(2)
  expect(await readRow(page)).toBe(48)
  const tops = await page
    .locator('[data-item-id]')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
  expect((tops[1] ?? 0) - (tops[0] ?? 0)).toBe(48)
  await expectGoodLooks(page)
  for (const path of ['/dashboard/visitors', '/dashboard/projects']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectGoodLooks(page)
  }
  await page.goto('/dashboard/settings')
  await page.getByRole('radio', { name: 'Comfortable' }).click()
  await page.goto(project.inbox)
  await expect(page.locator('[data-item-id]')).toHaveCount(2)
  expect(await readRow(page)).toBe(64)
})
