import { readFile } from 'node:fs/promises'
import { createAccount } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

test('a superadmin finds an organisation, reads its page and restores it', async ({ page }) => {
  const name = `Engines ${crypto.randomUUID().slice(0, 8)}`
  const email = `charles-${crypto.randomUUID()}@example.com`
  await createAccount({ email, password: 'correct horse battery' }, { organization_name: name, full_name: 'Charles' })
  await changeRows(
    `update organizations set closed_at = now(), delete_after = now() + interval '30 days' where name = $1`,
    [name],
  )
  await page.goto('/dashboard/superadmin/organizations')
  await expect(page).toHaveTitle('Organisations · Earshot')
  const rows = page.getByRole('list', { name: 'Organisations' }).getByRole('listitem')
  await expect(rows.filter({ hasText: name })).toContainText(/Being deleted.*1 member, 0 projects.*0 items in 30 days/s)
  await expectGoodLooks(page)
  const search = page.getByRole('searchbox', { name: 'Search organisations' })
  await search.fill('no such organisation')
  await expect(page.getByText('No organisation matches these filters.')).toBeVisible()
  await search.fill(name.toUpperCase())
  await expect(rows).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)

  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByRole('link', { name: `Charles, ${email}` })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Organisation restored', { exact: true })).toBeVisible()
  await expect(page.getByText('Being deleted')).toHaveCount(0)
  await page.getByRole('link', { name: 'Changes in this organisation' }).click()
  await expect(page.getByText(/restored/).first()).toBeVisible()
})
