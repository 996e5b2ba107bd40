import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { createTeam, test } from './team.ts'

/* From the open items to the answered visitor: tabs, quick filters with counts, and an item that is ready for a reply. */
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const item = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })
const tab = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Locations' }).getByRole('link', { name })
const quickFilter = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Quick filters' }).getByRole('button', { name })

test('the inbox shows open items and their counts, opens the first unread one, and keeps done ones in a tab', async ({
  browser,
}) => {
  const team = await createTeam(browser)
  const project = await team.makeProject('Northwind')
  await project.changeItem(await project.send('Resolved long ago'), { status: 'resolved' })
  const unread = await project.send('Not read yet')
  const read = await project.send({ message: 'The newest one', email: 'vera@example.org' })
  await project.changeItem(read, { viewed: true })
  const context = await browser.newContext({ storageState: team.storageState })
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard/feedback')
  await expect(rows(page)).toHaveCount(2)
  await expect(tab(page, 'Open 2')).toHaveAttribute('aria-current', 'page')
  await expect(item(page).getByRole('heading', { name: 'Bug #2', exact: true })).toBeVisible()
  await expect(page).toHaveURL(`/dashboard/feedback?item=${unread}`)
  await expectGoodLooks(page)

  // Closed, it stays closed.
  await page.keyboard.press('Escape')
  await expect(item(page)).toBeHidden()
  await expect(page).toHaveURL('/dashboard/feedback')

  await tab(page, 'Done 1').click()
  await expect(page).toHaveURL('/dashboard/feedback?stage=done')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Resolved long ago')
  await expect(page).toHaveTitle('Done · Feedback · Earshot')
  // A link from before there were tabs means both.
  await page.goto('/dashboard/feedback?type=bug')
  await expect(rows(page)).toHaveCount(3)
  await expect(tab(page, 'All')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('3 results')).toBeVisible()

  // Everything done: the next step is in sight.
  for (const id of [unread, read]) await project.changeItem(id, { status: 'closed' })
  await page.goto('/dashboard/feedback')
  await expect(page.getByText('Inbox zero')).toBeVisible()
  await page.getByRole('link', { name: 'Show done items' }).click()
  await expect(rows(page)).toHaveCount(3)
  await context.close()
})

test('each member has unread items of their own, and marks them', async ({ browser }) => {
  const team = await createTeam(browser)
  const project = await team.makeProject('Northwind')
  const colleague = await team.openColleague('Grace Hopper')
  await project.send('The door squeaks')
  const opened = await project.send('The window sticks')
  const context = await browser.newContext({ storageState: team.storageState })
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  const unreadRows = rows(page).filter({ has: page.getByRole('img', { name: 'Unread' }) })
  await page.goto(`/dashboard/feedback?item=${opened}`)
  await expect(quickFilter(page, /^Unread 1$/)).toBeVisible()
  await expect(unreadRows).toHaveText(/The door squeaks/)
  // To a colleague both are new.
  await colleague.goto('/dashboard/feedback?unread=true')
  await expect(rows(colleague)).toHaveCount(2)

  // Marked as unread while it is open, an item stays so, and it is undone by Ctrl+Z.
  await page.keyboard.press('Shift+U')
  await expect(page.getByText('#2: marked as unread', { exact: true })).toBeVisible()
  await expect(unreadRows).toHaveCount(2)
  await expect(quickFilter(page, /^Unread 2$/)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(unreadRows).toHaveCount(1)
  await item(page).getByRole('button', { name: 'More' }).click()
  await expectGoodLooks(page)
  await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
  await expect(unreadRows).toHaveCount(2)

  // Many at once.
  await page.keyboard.press('Escape')
  await rows(page).first().getByRole('link').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await expect(unreadRows).toHaveCount(0)
  await expect(quickFilter(page, /^Unread 0$/)).toBeVisible()
  await expect(rows(colleague)).toHaveCount(2)
  await context.close()
})

test('a snoozed item leaves the open ones, and comes back when its snooze ends', async ({ page, project }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const text of ['The lamp flickers', 'The chair wobbles', 'The table is scratched']) await project.send(text)
  await page.goto(`${project.inbox}&stage=open`)
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('j')
  await page.keyboard.press('h')
  await expect(page.getByRole('menuitemradio', { name: /^Tomorrow/ })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('menuitemradio', { name: /^Next month/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText(/^#3: snoozed until 1 \w+, 09:00$/)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows(page)).toHaveCount(3)

  // Two at once, until a time of one's own.
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('h')
  await page.getByRole('menuitemradio', { name: 'Pick date and time…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snooze until' })
  const time = dialog.getByLabel('Date and time')
  await time.fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await expect(dialog.getByText('Choose a time in the future.')).toBeVisible()
  await expectGoodLooks(page)
  await time.fill('2099-03-04T15:30')
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.goto(`${project.inbox}&location=snoozed`)
  await expect(tab(page, 'Snoozed 2')).toHaveAttribute('aria-current', 'page')
  await expect(rows(page).first()).toContainText('4 Mar 2099, 15:30')
  await rows(page).first().getByRole('link').click()
  await expect(item(page).getByText('Snoozed until 4 Mar 2099, 15:30, or until the visitor writes.')).toBeVisible()
  await expect(item(page).getByRole('region', { name: 'History' })).toContainText('snoozed this until 4 Mar 2099')
  await expectGoodLooks(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await item(page).getByRole('button', { name: 'End snooze' }).last().click()
  await expect(rows(page)).toHaveCount(1)
  await expect(tab(page, 'Open 2')).toBeVisible()
})

test('unanswered visitors are counted and listed until the team replies', async ({ page, project }) => {
  await project.send({ message: 'Where is my order?', email: 'vera@example.org' })
  await project.send('Anonymous praise')
  const answered = await project.send({ message: 'Do you deliver to Malta?', email: 'carla@example.org' })
  await project.addComment(answered, 'reply', 'Yes, from January on.')
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(3)
  await quickFilter(page, /^Unanswered 1$/).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText('1 result', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(`${project.inbox}&unanswered=true`)
  await expectGoodLooks(page)

  // The composer is at hand, and set to the visitor who waits.
  await rows(page).getByRole('link').click()
  const reply = item(page).getByRole('textbox', { name: 'Reply', exact: true })
  await expect(reply).toBeInViewport()
  await expectGoodLooks(page)
  await reply.fill('It is on its way.')
  await item(page).getByRole('button', { name: 'Send reply' }).click()
  await expect(item(page).getByRole('list', { name: 'Messages' })).toContainText('on its way')
  await expect(item(page).getByRole('textbox', { name: 'Note' })).toBeVisible()
  await expect(quickFilter(page, /^Unanswered 0$/)).toBeVisible()
  // Until it is left, the answered item stays in the list.
  await page.goto(`${project.inbox}&unanswered=true`)
  await expect(page.getByText('No feedback matches these filters.')).toBeVisible()
})

test('a search shows how many items match, and where else to look', async ({ page, project }) => {
  for (const text of ['The red stool wobbles', 'The blue stool wobbles', 'A lamp flickers']) await project.send(text)
  await project.changeItem(await project.send('The stool that was mended'), { status: 'resolved' })
  await page.goto(`${project.inbox}&stage=open`)
  await page.getByRole('searchbox').fill('wobbles')
  await expect(page.getByText('2 results')).toBeVisible()
  await page.getByRole('searchbox').fill('mended')
  await expect(page.getByText('No results')).toBeVisible()
  await page.getByRole('link', { name: 'Search done items too' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText('1 result', { exact: true })).toBeVisible()
})

test('a row has one rating and a page that is not cut', async ({ page, project }) => {
  const url = `https://${project.domain}/products/chairs/outdoor/folding-chair?utm_source=mail`
  await project.send({ message: 'The chair wobbles', rating: 4, page: { url } })
  await page.goto(project.inbox)
  const row = rows(page).first()
  await expect(row).toContainText('…/folding-chair')
  await expect(row).not.toContainText('utm_source')
  await expect(row.getByText('Rating')).toHaveCount(1)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('an open item says where in the list it is', async ({ page, project }) => {
    for (const text of ['One', 'Two', 'Three']) await project.send(text)
    await page.goto(`${project.inbox}&stage=open`)
    await expect(rows(page)).toHaveCount(3)
    // Nothing opens by itself: the list would be out of sight.
    await expect(item(page)).toBeHidden()
    await rows(page).nth(1).getByRole('link').tap()
    await expect(item(page).getByText('2 of 3', { exact: true })).toBeVisible()
    await item(page).getByRole('button', { name: 'Next' }).tap()
    await expect(item(page).getByText('3 of 3', { exact: true })).toBeVisible()
    await expectGoodLooks(page)
  })
})
