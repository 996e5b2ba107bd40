import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/* Two people with a browser each, in one inbox at the same time. */
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const statusButton = (page: Page) => page.getByRole('button', { name: /^Status:/ })

test('colleagues see each other and what each does, and neither overwrites the other', async ({
  page,
  project,
  team,
}) => {
  // A colleague has to join first.
  test.setTimeout(120_000)
  const colleague = await team.openColleague('Linus Pauling')
  for (const text of [
    'The fifth chair',
    'The fourth chair',
    'The third chair',
    'The second chair',
    'The first chair',
  ]) {
    await project.send(text)
  }
  for (const each of [page, colleague]) {
    await each.goto(project.inbox)
    await expect(rows(each)).toHaveCount(5)
  }

  // Both open the same item and see each other; closing it ends that.
  await row(page, 'The first chair').getByRole('link').click()
  await row(colleague, 'The first chair').getByRole('link').click()
  const item = page.getByRole('region', { name: 'Item', exact: true })
  await expect(item.getByText('Linus Pauling is viewing this too')).toBeAttached()
  await expect(colleague.getByText(`${team.person.fullName} is viewing this too`)).toBeAttached()
  await expectGoodLooks(page)

  // Both change it at the same moment: the later one sees a message and the other's change.
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/v1/organizations/*/feedback/*', async (route) => {
    if (route.request().method() === 'PATCH') await held
    await route.continue()
  })
  await page.keyboard.press('s')
  await page.getByRole('menuitemradio', { name: 'Closed', exact: true }).click()
  await colleague.keyboard.press('s')
  await colleague.getByRole('menuitemradio', { name: 'Resolved' }).click()
  await expect(row(page, 'The first chair').getByRole('img', { name: 'Status: Closed' })).toBeVisible()
  const first = (await project.listItems()).find(({ excerpt }) => excerpt === 'The first chair')
  await expect.poll(async () => (await project.getItem(first?.id ?? '')).status).toBe('resolved')
  release()
  await expect(
    page.getByText('Someone else changed this first. Check their change, then try again.').first(),
  ).toBeVisible()
  await expect(statusButton(page)).toHaveText('Status:Resolved')
  await page.unroute('**/api/v1/organizations/*/feedback/*')

  await colleague.keyboard.press('Escape')
  await expect(item.getByText('Linus Pauling is viewing this too')).toBeHidden()
  await page.keyboard.press('Escape')

  // One assigns, the other puts tags on, and both see it in their lists.
  await row(page, 'The second chair').getByRole('link').focus()
  await row(page, 'The second chair').getByRole('link').press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('a')
  await page.getByRole('combobox', { name: 'Assignee' }).fill('Linus')
  await page.keyboard.press('Enter')
  await expect(row(colleague, 'The first chair').getByText('Assigned to Linus Pauling')).toBeAttached()

  // Many at once: they leave the other's list, too, and come back with undo.
  await colleague.keyboard.press('x')
  await colleague.keyboard.press('Shift+J')
  await colleague.keyboard.press('Shift+J')
  await expect(colleague.getByRole('region', { name: 'Selected items' })).toContainText('3')
  await colleague.keyboard.press('e')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(colleague)).toHaveCount(2)
  await colleague.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(rows(page)).toHaveCount(5)
  await colleague.context().close()
})
