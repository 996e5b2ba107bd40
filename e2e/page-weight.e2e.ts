import type { Locator, Page } from '@playwright/test'
import { expect } from './product.ts'
import { test } from './team.ts'

/*
 * What a page loads before it can be used: few files, since each costs a request, and no more than before. Sizes are
 * those of the answers' bodies, compressed.
 */
async function measureScripts(page: Page, path: string, shown: Locator): Promise<{ files: number; bytes: number }> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') sizes.push(request.sizes().then((each) => each.responseBodySize))
  })
  await page.goto(path)
  await expect(shown).toBeVisible()
  const bytes = await Promise.all(sizes)
  return { files: bytes.length, bytes: bytes.reduce((sum, each) => sum + each, 0) }
}

test('the landing page loads at most 10 scripts of 155 kB', async ({ page }) => {
  const { files, bytes } = await measureScripts(page, '/', page.getByRole('heading', { level: 1 }))
  expect(files).toBeLessThanOrEqual(10)
  expect(bytes).toBeLessThanOrEqual(155_000)
})

test('the inbox loads at most 20 scripts of 310 kB', async ({ page, project }) => {
  await project.send('Light as a feather')
  const { files, bytes } = await measureScripts(page, project.inbox, page.getByText('Light as a feather'))
  expect(files).toBeLessThanOrEqual(20)
  expect(bytes).toBeLessThanOrEqual(310_000)
})
