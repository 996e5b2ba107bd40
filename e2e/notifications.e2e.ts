import { randomUUID } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { createTeam, signedOutState, test } from './team.ts'

test('an assignment notifies the member in the app and by email, until one click unsubscribes', async ({
  page,
  project,
  team,
  browser,
  baseURL,
  mails,
}) => {
  // A colleague has to join first.
  test.setTimeout(120_000)
  const email = `dorothy-${project.id.slice(-8)}@example.com`
  const colleague = await team.openColleague('Dorothy Hodgkin', email)
  await colleague.goto('/dashboard')
  const bell = (on: typeof page) => on.getByRole('button', { name: /^Notifications/ })
  await expect(bell(colleague)).toBeVisible()

  const id = await project.send('The handle comes off')
  await page.goto(`/dashboard/feedback?item=${id}`)
  const item = page.getByRole('region', { name: 'Item', exact: true })
  await expect(item.getByText('The handle comes off').first()).toBeVisible()
  const people = page.getByRole('combobox', { name: 'Assignee' })
  // A key before the item is ready has no effect; one after the menu opened is typed into it.
  await expect(async () => {
    if (!(await people.isVisible())) await page.keyboard.press('a')
    await expect(people).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByRole('option', { name: /Dorothy Hodgkin/ }).click()

  // Without a reload.
  await expect(bell(colleague)).toHaveAccessibleName(/, \d+ new$/)
  await bell(colleague).click()
  const notification = colleague.getByRole('link', { name: /Grace Hopper assigned #1 to you/ })
  await expect(notification).toBeVisible()
  await expectGoodLooks(colleague)

  const mail = await mails.waitForMail(email, { subject: /assigned #1 to you/, timeoutMs: 20_000 })
  expect(mail.text).toContain('The handle comes off')
  // What mailboxes show their own button by.
  const stored = await fetch(`${process.env.EARSHOT_MAIL_URL}/email/${mail.id}`)
  const { headers } = (await stored.json()) as { headers: Record<string, unknown> }
  expect(headers['list-unsubscribe-post'] ?? headers).toBe('List-Unsubscribe=One-Click')
  const link = /http\S+\/unsubscribe\/\S+/.exec(mail.text)?.[0] ?? ''

  await notification.click()
  await expect(colleague).toHaveURL(new RegExp(`item=${id}`))
  await bell(colleague).click()
  await expect(colleague.getByRole('link', { name: /^Unread: Grace Hopper/ })).toHaveCount(0)
  await expect(notification).toBeVisible()

  // Opening the link changes nothing; the mailbox's own button does.
  const stranger = await (await browser.newContext({ baseURL: baseURL ?? '', storageState: signedOutState })).newPage()
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { name: 'Unsubscribe' })).toBeVisible()
  await expectGoodLooks(stranger)
  await stranger.reload()
  await expect(stranger.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
  const oneClick = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(oneClick.status).toBe(204)
  await stranger.reload()
  await expect(stranger.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await stranger.getByRole('button', { name: 'Subscribe again' }).click()
  await expect(stranger.getByRole('heading', { name: 'Unsubscribe' })).toBeVisible()
})

test('one chooses how to hear of what happens, with exceptions, and takes it back', async ({ page, team }) => {
  // By a name of its own: other tests have projects too.
  const project = await team.makeProject(`Chairs ${randomUUID().slice(0, 8)}`)
  await page.goto('/dashboard/settings/notifications')
  const all = page.getByLabel('New feedback by email, all projects')
  await expect(all).toHaveValue('daily')
  await all.selectOption('hourly')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(all).toHaveValue('daily')

  await page.getByRole('button', { name: 'Add exception' }).click()
  await page.getByRole('option', { name: project.name }).click()
  const mentions = page.getByRole('switch', { name: `Mentions of you by email, ${project.name}` })
  await expect(mentions).toBeChecked()
  await mentions.click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(mentions).not.toBeChecked()
  await expect(page.getByRole('switch', { name: 'Mentions of you by email, all projects' })).toBeChecked()
  await expectGoodLooks(page)

  await page.getByRole('button', { name: `Remove exception, ${project.name}` }).click()
  await expect(mentions).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(mentions).not.toBeChecked()
})

test('older notifications are a press away, and one read too early is unread again', async ({
  browser,
  baseURL,
  mails,
}) => {
  test.setTimeout(120_000)
  // A team of its own: what other tests caused would stand between these notifications.
  const team = await createTeam(browser)
  const project = await team.makeProject('Northwind')
  const page = await (await browser.newContext({ baseURL: baseURL ?? '', storageState: team.storageState })).newPage()
  const email = `vera-${project.id.slice(-8)}@example.org`
  const id = await project.send({ message: 'The handle comes off', email })
  await project.addComment(id, 'reply', 'Which one?')
  const mail = await mails.waitForMail(email)
  const token = mail.links
    .find((link) => link.includes('/conversation/'))
    ?.split('/')
    .at(-1)
  for (let n = 0; n < 5; n += 1) {
    const answered = await fetch(`${process.env.EARSHOT_URL}/api/v1/conversations/${token}/answers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: uuidV7(), text: `Answer ${n}` }),
    })
    expect(answered.status).toBe(201)
  }
  // Pages of three instead of thirty.
  await page.route(/\/notifications(\?|$)/, async (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '3')
    await route.continue({ url: url.href })
  })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  const entries = bell.getByRole('link', { name: /The visitor replied in #1/ })
  await expect(entries).toHaveCount(3)
  await bell.getByRole('button', { name: 'Show older' }).click()
  await expect(entries).toHaveCount(5)
  await expect(bell.getByRole('button', { name: 'Show older' })).toHaveCount(0)
  // In order of time: the item came before its answers.
  await expect(bell.getByRole('listitem').last()).toContainText('1 new item')
  await expect(bell.getByRole('button', { name: 'Mark all read' })).toBeVisible()
  await expectGoodLooks(page)

  await bell.getByRole('button', { name: 'Mark all read' }).click()
  await expect(bell.getByRole('link', { name: /^Unread:/ })).toHaveCount(0)
  const first = bell.getByRole('listitem').filter({ hasText: 'The visitor replied in #1' }).first()
  await first.getByRole('button', { name: 'Mark as unread' }).click()
  await expect(bell.getByRole('link', { name: /^Unread:/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Notifications, 1 new' })).toBeAttached()
  await first.getByRole('button', { name: 'Mark as read' }).click()
  await expect(bell.getByRole('link', { name: /^Unread:/ })).toHaveCount(0)

  // Also with the item open, which otherwise reads what is said about it.
  await entries.first().click()
  await expect(page).toHaveURL(new RegExp(id))
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await first.getByRole('button', { name: 'Mark as unread' }).click()
  await expect(bell.getByRole('link', { name: /^Unread:/ })).toHaveCount(1)
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Notifications, 1 new' })).toBeVisible()
  await page.context().close()
})
