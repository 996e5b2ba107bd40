import type { Page } from '@playwright/test'
import { holdAnswers, holdRequests } from './hold.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected items' })

async function chooseFirstTwo(page: Page): Promise<void> {
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await expect(bar(page).getByRole('button', { name: '2 selected: clear selection' })).toBeVisible()
}

test('a bulk change is undone, except for items changed since', async ({ page, project }) => {
  const ids: string[] = []
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) ids.push(await project.send(`Chair ${word}`))
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(6)

  // With the mouse: a box, and with Shift all up to another.
  await rows(page).nth(0).hover()
  await rows(page).nth(0).getByRole('checkbox').check({ force: true })
  await rows(page)
    .nth(3)
    .getByRole('link')
    .click({ modifiers: ['Shift'] })
  await expect(bar(page).getByRole('button', { name: '4 selected: clear selection' })).toBeVisible()
  await expectGoodLooks(page)

  await bar(page).getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitemradio', { name: 'High' }).click()
  await expect(rows(page).getByRole('img', { name: 'Priority: High' })).toHaveCount(4)
  await expect(page.getByText('4 items: priority set to High').first()).toBeVisible()
  await bar(page).getByRole('button', { name: 'Select all 6 loaded' }).click()
  await bar(page).getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('Wobbly')
  await page.keyboard.press('Enter')
  await expect(page.getByText('6 items: tagged Wobbly').first()).toBeVisible()
  await expect(rows(page).getByText('Tags: Wobbly')).toHaveCount(6)

  await bar(page).getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('6 items: archived').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await expect.poll(async () => (await project.listItems('archived')).length).toBe(6)

  // A member changes one of them in the meantime: that change stays.
  await project.changeItem(ids[2] ?? '', { deleted: true })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('1 item changed since then was kept.').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(5)
  expect((await project.listItems('trash')).map(({ id }) => id)).toEqual([ids[2]])
})

test('archived items stay archived when a list arrives late, and the keyboard continues with the rest', async ({
  page,
  project,
}) => {
  for (const word of ['one', 'two', 'three', 'four']) await project.send(`Chair ${word}`)
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(4)
  await chooseFirstTwo(page)

  // The list is read again after a change of many, and stays on the line; so does the next change.
  const lists = await holdAnswers(page, '**/api/v1/organizations/*/feedback?*')
  await page.keyboard.press('p')
  await page.getByRole('menuitemradio', { name: 'High' }).click()
  await lists.came
  const changes = await holdRequests(page, '**/feedback/bulk')
  await page.keyboard.press('e')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).getByRole('link', { name: /Chair two/ })).toBeFocused()
  const came = page.waitForResponse(/\/feedback\?/)
  lists.release()
  await (await came).finished()
  // Time to be drawn, if it were.
  await page.waitForTimeout(300)
  await expect(rows(page)).toHaveCount(2)
  changes.release()
  await expect(page.getByText('2 items: archived').first()).toBeVisible()
  await expect(rows(page).getByRole('link', { name: /Chair two/ })).toBeFocused()
  await page.keyboard.press('e')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).getByRole('link', { name: /Chair one/ })).toBeFocused()
  await expect.poll(async () => (await project.listItems('archived')).length).toBe(3)
})

test('an archived item stays archived when a colleague’s earlier change arrives late', async ({ page, project }) => {
  await project.send('A chair to keep')
  const ids = [await project.send('Chair one'), await project.send('Chair two')]
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(3)
  await chooseFirstTwo(page)

  const changes = await holdRequests(page, '**/feedback/bulk')
  await page.keyboard.press('e')
  await expect(rows(page)).toHaveCount(1)
  // Its live event carries the row of an item that is still in the inbox. The event of a new item comes after it.
  await project.changeItem(ids[0] ?? '', { priority: 'high' })
  await project.send('A table')
  await expect(rows(page)).toHaveCount(2)
  changes.release()
  await expect(page.getByText('2 items: archived').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
})

test('deleted items move to the trash and are restored from there', async ({ page, project }) => {
  await project.send('A chair to throw away')
  await project.send('A chair to keep')
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(2)
  await rows(page).filter({ hasText: 'throw away' }).getByRole('link').click()
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible()
  await page.keyboard.press('#')
  // The next item opens.
  await expect(page.getByRole('heading', { name: 'Bug #2', exact: true })).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Locations' }).getByRole('link', { name: 'Trash' }).click()
  await expect(page).toHaveURL(`/dashboard/feedback?location=trash&project=${project.id}`)
  await expect(page.getByText('Items here are permanently deleted after 30 days.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expectGoodLooks(page)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await page.getByRole('navigation', { name: 'Locations' }).getByRole('link', { name: 'Open' }).click()
  await expect(rows(page)).toHaveCount(2)
})

test('a view is saved, shared, changed and deleted', async ({ page, project, team }) => {
  await project.send({ message: 'A dark mode, please', type: 'idea' })
  await project.send('The dark chair wobbles')
  await page.goto(`${project.inbox}&type=idea`)
  await expect(rows(page)).toHaveCount(1)
  const views = page.getByRole('button', { name: /^View:/ })
  await views.click()
  await expectGoodLooks(page)
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  const name = `Ideas ${project.domain}`
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('switch', { name: 'Share with the team' }).click()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(views).toContainText(name)
  await expect(page).toHaveURL(/&view=/)

  // Found from everywhere by the palette.
  await page.goto('/dashboard/projects')
  await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  const found = page.getByRole('option', { name, exact: true })
  await expect(found).toBeAttached()
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(name)
  // Not the way to search for these words, which stands below.
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Type:').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(1)

  await page.getByRole('button', { name: 'Remove the filter Type' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(views).toContainText('changed')
  await views.click()
  await page.getByRole('menuitem', { name: 'Update this view' }).click()
  await expect(views).not.toContainText('changed')

  // A colleague has it, too, and sees it come in a menu that was open before anything was known.
  const colleague = await team.openColleague('Rosalind Franklin')
  const everything = await holdRequests(colleague, '**/api/v1/organizations/*/**')
  await colleague.goto('/dashboard/feedback')
  await colleague.getByRole('button', { name: /^View:/ }).click()
  await expect(colleague.getByRole('menuitem', { name: 'All feedback' })).toBeVisible()
  everything.release()
  await colleague.getByRole('menuitem', { name }).click()
  await expect(rows(colleague)).toHaveCount(2)
  await colleague.context().close()

  await views.click()
  await page.getByRole('menuitem', { name: 'Delete this view' }).click()
  await expect(views).toContainText('Feedback')
  await views.click()
  await expect(page.getByRole('menuitem', { name })).toHaveCount(0)
})
