import type { Page } from '@playwright/test'
import { errors } from '#contract/errors.ts'
import { holdAnswers } from './hold.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { signedOutState, test } from './team.ts'

/*
 * A team at work in its inbox: new items and colleagues' changes appear live, and no change is lost or
 * overwritten, whatever the network does.
 */
const statusButton = (page: Page) => page.getByRole('button', { name: /^Status:/ })
const priorityButton = (page: Page) => page.getByRole('button', { name: /^Priority:/ })
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const changes = '**/api/v1/organizations/*/feedback/*'
const liveChanges = '**/api/v1/organizations/*/events'

async function openItem(page: Page, message: string): Promise<void> {
  await rows(page).filter({ hasText: message }).getByRole('link').click()
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible()
}

/** Chooses by keyboard, as those who work here all day do: the menu's key, then the choice's number. */
async function press(page: Page, menuKey: 's' | 'p', number: number): Promise<void> {
  await page.keyboard.press(menuKey)
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press(String(number))
  await expect(page.getByRole('menu')).toBeHidden()
}

test.describe('two people in one inbox', () => {
  test('the inbox says so when live updates are open in too many tabs', async ({ page, project }) => {
    await project.send('The drawer jams')
    const refusal = { ...errors.too_many_streams, code: 'too_many_streams', requestId: 'r' }
    const headers = { 'retry-after': '1' }
    await page.route(liveChanges, (route) => route.fulfill({ status: 429, headers, json: refusal }))
    await page.goto(project.inbox)
    await expect(page.getByText('Not live: too many tabs open')).toBeVisible()
    await expectGoodLooks(page)
    await page.unroute(liveChanges)
    await expect(page.getByText('Not live: too many tabs open')).toBeHidden()
  })

  test('see what arrives, and what the other does, without a reload', async ({
    page,
    project,
    team,
    browser,
    signIn,
  }) => {
    await project.send('The first chair wobbles')
    const colleague = await (await browser.newContext({ storageState: signedOutState })).newPage()
    await signIn(colleague, team.person)
    for (const each of [page, colleague]) {
      await each.goto(project.inbox)
      await expect(rows(each)).toHaveCount(1)
    }

    await project.send({ message: 'The second chair squeaks', type: 'idea', name: 'Linus' })
    for (const each of [page, colleague]) {
      await expect(rows(each).first()).toContainText('The second chair squeaks')
      await expect(each.getByText('1 new item')).toBeAttached()
    }

    await openItem(page, 'second chair')
    await openItem(colleague, 'second chair')
    await press(page, 's', 4)
    await expect(statusButton(colleague)).toHaveText('Status:Resolved')
    await expect(colleague.getByRole('region', { name: 'History' })).toContainText('from New to Resolved')
    await expect(rows(colleague).first().getByRole('img', { name: 'Status: Resolved' })).toBeVisible()
    await press(colleague, 'p', 5)
    await expect(priorityButton(page)).toHaveText('Priority:Urgent')
    await colleague.context().close()
  })

  test('keep their place in the list when others arrive above', async ({ page, project }) => {
    for (let number = 1; number <= 40; number += 1) await project.send(`Chair number ${number}`)
    await page.goto(project.inbox)
    await expect(rows(page).first()).toContainText('Chair number 40')
    await rows(page).first().hover()
    await page.mouse.wheel(0, 600)
    // At rest: a wheel turns the list over some frames.
    await expect.poll(() => page.locator('[data-inbox-list]').evaluate((list) => list.scrollTop)).toBe(600)
    const anchor = rows(page).filter({ hasText: 'Chair number 26' })
    await expect(anchor).toBeInViewport()
    const before = await anchor.boundingBox()

    for (const word of ['one', 'two', 'three']) await project.send(`Late table ${word}`)
    const pill = page.getByRole('button', { name: '3 new', exact: true })
    await expect(pill).toBeVisible()
    expect(await anchor.boundingBox()).toEqual(before)
    await expectGoodLooks(page)
    await pill.click()
    await expect(rows(page).first()).toContainText('Late table three')
    await expect(rows(page).first()).toBeInViewport()
    await expect(pill).toBeHidden()
  })
})

test.describe('a change', () => {
  test('is undone from the message about it, which leaves every button in reach', async ({ page, project }) => {
    await project.send('Older: the table jams')
    await project.send('Newer: the drawer jams')
    await page.goto(project.inbox)
    await openItem(page, 'Newer')
    await press(page, 's', 3)
    await expect(statusButton(page)).toHaveText('Status:In progress')
    await expect(page.getByText('#2: status changed to In progress').first()).toBeVisible()

    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { name: 'Bug #1', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(statusButton(page)).toHaveText('Status:New')
    await expect(page.getByRole('region', { name: 'History' })).toContainText('from In progress to New')
    await page.reload()
    await expect(statusButton(page)).toHaveText('Status:New')
  })

  test('never overwrites a colleague’s that was not seen yet', async ({ page, project }) => {
    const id = await project.send('Both of us want this one')
    // Viewing it answers with its latest state, a colleague's change included.
    await project.changeItem(id, { viewed: true })
    await page.route(liveChanges, (route) => route.abort())
    await page.goto(project.inbox)
    await expect(page.getByText('Reconnecting…')).toBeVisible()
    await openItem(page, 'Both of us')
    await project.changeItem(id, { status: 'resolved' })

    await press(page, 's', 2)
    await expect(
      page.getByText('Someone else changed this first. Check their change, then try again.').first(),
    ).toBeVisible()
    await expect(page.getByText('Your change was not applied. You now see the latest state.').first()).toBeVisible()
    await expect(statusButton(page)).toHaveText('Status:Resolved')
    expect(await project.getItem(id)).toMatchObject({ status: 'resolved' })
    await expectGoodLooks(page)
  })

  test('never overwrites a colleague’s that came while it waited for an earlier one', async ({ page, project }) => {
    const id = await project.send('Decided in a hurry')
    await project.changeItem(id, { viewed: true })
    await page.goto(project.inbox)
    await openItem(page, 'in a hurry')
    const priority = await holdAnswers(page, changes, { times: 1 })
    await press(page, 'p', 4)
    await priority.came
    await press(page, 's', 3)
    await project.changeItem(id, { status: 'resolved' })
    await expect(page.getByRole('region', { name: 'History' })).toContainText('from New to Resolved')

    priority.release()
    await expect(page.getByText('Your change was not applied. You now see the latest state.').first()).toBeVisible()
    await expect(statusButton(page)).toHaveText('Status:Resolved')
    expect(await project.getItem(id)).toMatchObject({ status: 'resolved', priority: 'high' })
  })

  test('is not undone over a colleague’s that came after it', async ({ page, project }) => {
    const id = await project.send('Decided twice')
    await page.goto(project.inbox)
    await openItem(page, 'Decided twice')
    await press(page, 's', 3)
    await expect.poll(async () => (await project.getItem(id)).status).toBe('in_progress')
    await project.changeItem(id, { status: 'resolved' })
    await expect(statusButton(page)).toHaveText('Status:Resolved')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText('Your change was not applied. You now see the latest state.').first()).toBeVisible()
    expect(await project.getItem(id)).toMatchObject({ status: 'resolved' })
  })

  test('that the server refused is reverted, and retried by “Try again”', async ({ page, project }) => {
    const id = await project.send('The server is down')
    await page.goto(project.inbox)
    await openItem(page, 'The server')
    await page.route(changes, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503, body: 'Bad gateway' }) : route.fallback(),
    )
    await press(page, 'p', 4)
    await expect(priorityButton(page)).toHaveText('Priority:High')
    await expect(page.getByText('Couldn’t save the change').first()).toBeVisible()
    await expect(priorityButton(page)).toHaveText('Priority:No priority')
    // Pointed at, it stays.
    await page.getByRole('button', { name: 'Try again' }).hover()
    await expectGoodLooks(page)

    await page.unroute(changes)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(priorityButton(page)).toHaveText('Priority:High')
    await expect.poll(async () => (await project.getItem(id)).priority).toBe('high')
  })

  test('made offline is reverted too, and the inbox catches up once online', async ({ page, context, project }) => {
    const id = await project.send('In the tunnel')
    await page.goto(project.inbox)
    await openItem(page, 'tunnel')
    await context.setOffline(true)
    await press(page, 's', 5)
    await expect(page.getByText('Couldn’t save the change').first()).toBeVisible()
    await expect(page.getByText('Network error. Please check your connection and try again.').first()).toBeVisible()
    await expect(statusButton(page)).toHaveText('Status:New')

    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(statusButton(page)).toHaveText('Status:Closed')
    await expect.poll(async () => (await project.getItem(id)).status).toBe('closed')
    await project.send('After the tunnel')
    await expect(rows(page).first()).toContainText('After the tunnel')
  })
})
