import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

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

test('a superadmin searches the settings and sees values and sources, but no secret', async ({ page }) => {
  await page.goto('/dashboard/superadmin/settings')
  const rows = page.getByRole('list', { name: 'Settings' }).getByRole('listitem')
  const row = (name: string) => rows.filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(row('UPLOAD_KEEP_HOURS')).toContainText(/Default.*24.*Hours after which/s)
  await expect(row('INSTANCE_SECRET')).toContainText(/Set(?! )/)
  await expectGoodLooks(page)
  const search = page.getByRole('searchbox', { name: 'Search settings' })
  await search.fill('quota project')
  await expect(page.getByText('1 setting', { exact: true })).toBeVisible()
  await expect(row('QUOTA_PROJECT_FILE_GIGABYTES')).toBeVisible()
  await page.reload()
  await expect(search).toHaveValue('quota project')
  await search.fill('no such setting')
  await expect(page.getByText('No setting matches this search.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(row('PORT')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download support bundle' }).click()
  expect((await download).suggestedFilename()).toBe('earshot-support.zip')
})
