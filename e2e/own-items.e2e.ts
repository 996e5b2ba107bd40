import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type CustomerWebsite, startCustomerWebsite } from './customer-website.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'
import { type Visitor, visit, writeSnippet } from './visitor.ts'

/*
 * After sending: the team's answer reaches only the visitor who asked; spam stays out of the inbox.
 */
let website: CustomerWebsite
let widgetKey = ''
test.beforeAll(async () => {
  website = await startCustomerWebsite(() => writeSnippet(widgetKey))
})
test.beforeEach(({ project }) => {
  widgetKey = project.widgetKey
})
test.afterAll(() => website.stop())

const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const goTo = (page: Page, location: string) =>
  page.getByRole('navigation', { name: 'Locations' }).getByRole('link', { name: location }).click()

async function identify({ page }: Visitor, id: string, hash: string): Promise<void> {
  await page.evaluate(([id, hash]) => window.earshot?.('identify', { id }, { hash }), [id, hash] as const)
}

/** Sends as this visitor, and stays for the list. */
async function sendAs(visitor: Visitor, message: string): Promise<void> {
  await visitor.open()
  await visitor.write(message)
  await visitor.send()
  await visitor.press('Done')
}

async function openOwnItems(visitor: Visitor): Promise<void> {
  await visitor.page.reload()
  await visitor.open()
  await visitor.press('Your feedback')
}

test('a reply from the team is under what the visitor sent, in their browser alone', async ({
  page,
  project,
  browser,
}) => {
  const visitor = await visit(browser, website.addressAt(project.domain))
  await sendAs(visitor, 'Do you deliver to Malta?')
  await page.goto(project.inbox)
  await rows(page).getByRole('link').click()
  const item = page.getByRole('region', { name: 'Item', exact: true })
  await item.getByRole('textbox', { name: 'Note' }).fill('Malta again. Ask Ada.')
  await item.getByRole('button', { name: 'Add note' }).click()
  await expect(item.getByRole('listitem').filter({ hasText: 'Malta again' })).toBeVisible()
  await item.getByRole('button', { name: 'Reply', exact: true }).click()
  await item.getByRole('textbox', { name: 'Reply', exact: true }).fill('From January on.')
  await item.getByRole('button', { name: 'Send reply' }).click()
  await expect(item.getByRole('listitem').filter({ hasText: 'From January on.' })).toBeVisible()
  await page.keyboard.press('s')
  await page.keyboard.press('4')
  await expect(item.getByRole('button', { name: /^Status:/ })).toHaveText('Status:Resolved')

  await openOwnItems(visitor)
  const list = visitor.page.getByRole('dialog', { name: 'Your feedback', exact: true })
  await expect(list.getByRole('listitem')).toContainText('Do you deliver to Malta?')
  await expect(list.getByText('Resolved')).toBeVisible()
  await expect(list.getByText('From January on.')).toBeVisible()
  await expect(list.getByText('Grace Hopper')).toBeVisible()
  // What the team says among itself stays there.
  await expect(list.getByText('Malta again')).toHaveCount(0)
  await visitor.leave()

  const other = await visit(browser, website.addressAt(project.domain))
  await sendAs(other, 'Someone else')
  await openOwnItems(other)
  const others = other.page.getByRole('dialog', { name: 'Your feedback', exact: true })
  await expect(others.getByRole('listitem')).toHaveCount(1)
  await expect(others.getByText('Malta')).toHaveCount(0)
  await other.leave()
})

test('whom the site vouches for finds what they sent on any browser', async ({ project, browser }) => {
  const secret = await project.getIdentitySecret()
  const sign = (id: string) => createHmac('sha256', secret).update(id).digest('hex')
  const atWork = await visit(browser, website.addressAt(project.domain))
  await identify(atWork, 'zoë-7', sign('zoë-7'))
  await sendAs(atWork, 'The oak one squeaks')
  await atWork.leave()

  for (const [hash, count] of [
    [sign('zoë-7'), 1],
    [sign('zoë-8'), 0],
  ] as const) {
    const atHome = await visit(browser, website.addressAt(project.domain))
    await identify(atHome, 'zoë-7', hash)
    await atHome.open()
    await atHome.press('Your feedback')
    const list = atHome.page.getByRole('dialog', { name: 'Your feedback', exact: true })
    if (count) await expect(list.getByRole('listitem')).toContainText('The oak one squeaks')
    else await expect(list.getByText('No feedback from this browser yet.')).toBeVisible()
    await atHome.leave()
  }
})

test('spam is quarantined with its reason and can be released', async ({ page, project, browser }) => {
  const machine = await visit(browser, website.addressAt(project.domain))
  await machine.open()
  await machine.write('Cheap chairs here')
  // People neither see nor reach this field.
  await machine.panel.locator('[name=website]').evaluate((field: HTMLInputElement) => {
    field.value = 'https://cheap.example'
    field.dispatchEvent(new Event('input'))
  })
  await machine.send()
  await machine.leave()

  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(0)
  await goTo(page, 'Spam')
  await expect(rows(page)).toContainText('Cheap chairs here')
  await rows(page).getByRole('link').click()
  await expect(page.getByText('a hidden field was filled (likely a bot).')).toBeVisible()
  await expectGoodLooks(page)

  await page.getByRole('article').getByRole('button', { name: 'Not spam' }).click()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toContainText('Cheap chairs here')
  await rows(page).getByRole('link').click()
  await page.getByRole('article').getByRole('button', { name: 'Not spam' }).click()
  await expect(rows(page)).toHaveCount(0)
  await goTo(page, 'Open')
  await expect(rows(page)).toContainText('Cheap chairs here')
})
