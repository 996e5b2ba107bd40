import { readFile } from 'node:fs/promises'
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

test('a superadmin finds a failed email with its reason and exports it', async ({ page }) => {
  const to = `refused-${crypto.randomUUID()}@mailbox.example`
  await changeRows(
    `insert into app.emails (id, kind, to_address, subject, html, text, attempts, last_error, failed_at)
     values (gen_random_uuid(), 'recovery', $1, 'Reset', '', '', 2, 'refused with 550', now())`,
    [to],
  )
  await page.goto('/dashboard/superadmin/email-monitoring')
  await expect(page).toHaveTitle('Email monitoring · Earshot')
  await expect(page.getByRole('list', { name: 'Figures' }).getByText('in 14 days').first()).toBeVisible()
  const row = page.getByRole('list', { name: 'Emails' }).getByRole('listitem')
  await expect(row.filter({ hasText: to })).toContainText(/Recovery.*refused with 550.*Failed.*2 attempts/s)
  await expectGoodLooks(page)

  const search = page.getByRole('searchbox', { name: 'Search emails' })
  await search.fill('no such address')
  await expect(page.getByText('No email matches these filters.')).toBeVisible()
  await expectGoodLooks(page)
  await search.fill(to.toUpperCase())
  await expect(row).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`recovery,${to},failed,2,refused with 550`)

  await page.getByLabel('Status').selectOption('Sent')
  await expect(page.getByText('No email matches these filters.')).toBeVisible()
  await page.goto('/dashboard/superadmin/email-monitoring?status=failed')
  await expect(page.getByLabel('Status')).toHaveValue('failed')
  await expect(row.filter({ hasText: to })).toBeVisible()
})
