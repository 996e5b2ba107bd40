import { sendFile } from '#server/testing/uploads.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/** A team of its own: whether its bell says that something is new depends on these tests alone. */
const test = teamTest.extend<object, { team: Team }>({
  team: [async ({ browser }, use) => use(await createTeam(browser)), { scope: 'worker' }],
})

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

test('an owner is told that storage is full, until there is room', async ({ page, project, team, mails }) => {
  const url = process.env.EARSHOT_URL ?? ''
  const file = { kind: 'file', bytes: Buffer.alloc(12_300, 'text '), name: 'log.txt' } as const
  await sendFile({ url }, project.widgetKey, file)
  const setBytes = (bytes: number) =>
    changeRows('update uploads set bytes = $2 where project_id = $1', [project.id, bytes])
  await setBytes(50_000_000_000)
  await page.goto('/dashboard')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toBeVisible()
  // Sizes are remembered for some seconds.
  await expect(async () => {
    await expect(sendFile({ url }, project.widgetKey, file)).rejects.toThrow('507')
  }).toPass({ timeout: 20_000 })
  const mail = await mails.waitForMail(team.person.email, { subject: /storage for files is full/, timeoutMs: 20_000 })
  expect(mail.text).toContain('Text feedback still arrives.')

  // Without a reload.
  await expect(bell).toHaveAccessibleName(/, \d+ new$/)
  await bell.click()
  const line = page.getByRole('link', { name: /Storage for files is full/ })
  await expect(line).toContainText(`${project.name}: visitors’ files are refused`)
  await expectGoodLooks(page)
  await line.click()
  await expect(page).toHaveURL(/settings\/storage$/)
  await expect(page.getByText('Full. Delete something to make room.').first()).toBeVisible()
  await setBytes(12_300)
  await page.reload()
  await bell.click()
  await expect(page.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible()
  await expect(line).toHaveCount(0)
})
