import { sendFile } from '#server/testing/uploads.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

test('the settings and the project show how much storage is used', async ({ page, project }) => {
  const url = process.env.EARSHOT_URL ?? ''
  await sendFile({ url }, project.widgetKey, { kind: 'file', bytes: Buffer.alloc(12_300, 'text '), name: 'log.txt' })
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Storage' }).click()
  const row = page
    .getByRole('list', { name: 'Files by project' })
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href="/dashboard/projects/${project.id}"]`) })
  await expect(row).toContainText('12 kB of 50 GB, 1 file')
  await expect(row.getByRole('meter')).toHaveAttribute('aria-valuetext', '12 kB of 50 GB, 1 file')
  await expect(page.getByRole('meter', { name: 'All projects' })).toHaveAttribute('aria-valuetext', /of 100 GB$/)
  await expect(page.getByRole('meter', { name: 'Number of exports' })).toHaveAttribute('aria-valuetext', /of 20$/)
  await expectGoodLooks(page)

  await row.getByRole('link').click()
  await expect(page.getByRole('link', { name: '12 kB of 50 GB' })).toBeVisible()
  await expectGoodLooks(page)
})
