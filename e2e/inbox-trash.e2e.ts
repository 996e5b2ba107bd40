import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

test('the trash is emptied at once after a word, and says what is gone', async ({ page, project }) => {
  // Of other tests.
  await project.emptyTrash()
  for (const text of ['One', 'Two', 'Three']) {
    await project.changeItem(await project.send(text), { deleted: true })
  }
  await project.send('Kept')
  await page.goto(`${project.inbox}&location=trash`)
  const rows = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Empty trash' }).click()
  const dialog = page.getByRole('dialog', { name: 'Empty the trash?' })
  await expect(dialog).toContainText('3 items in the trash')
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await dialog.getByRole('button', { name: 'Permanently delete 3 items' }).click()
  await expect(page.getByText('3 items permanently deleted').first()).toBeVisible()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Empty trash' })).toHaveCount(0)
  expect(await project.listItems('trash')).toEqual([])
  expect(await project.listItems()).toHaveLength(1)
})

test('emptying a full trash shows the job’s progress', async ({ page, project }) => {
  await project.emptyTrash()
  for (const text of ['One', 'Two']) await project.changeItem(await project.send(text), { deleted: true })
  await page.goto(`${project.inbox}&location=trash`)
  // As the server answers after three seconds of thousands.
  await page.route('**/feedback/trash/empty', (route) => route.fulfill({ json: { removed: 0, isComplete: false } }))
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('button', { name: 'Permanently delete 2 items' }).click()
  const progress = page.getByRole('progressbar', { name: 'Deleting permanently' })
  await expect(progress).toHaveAttribute('aria-valuetext', '0 of 2')
  await expectGoodLooks(page)
  const [first, second] = await project.listItems('trash')
  await project.emptyTrash([first?.id ?? ''])
  await expect(progress).toHaveAttribute('aria-valuetext', '1 of 2')
  await project.emptyTrash([second?.id ?? ''])
  await expect(page.getByText('2 items permanently deleted').first()).toBeVisible()
  await expect(progress).toHaveCount(0)
})
