import { expect } from './product.ts'
import { test } from './team.ts'

test('bookmarks are found in the sidebar', async ({ page }) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Bookmarks' }).click()
  await expect(page.getByText('No bookmarks yet')).toBeVisible()
})
