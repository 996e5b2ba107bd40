import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type CustomerWebsite, startCustomerWebsite } from './customer-website.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'
import { type Visitor, visit, writeSnippet } from './visitor.ts'

/*
 * What becomes of it: the team's answer reaches the one who asked, and nobody else; what a machine sends troubles nobody.
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
const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: place }).click()

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
  await visitor.press('What you sent')
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
  await item.getByText('Reply to the visitor').click()
  await item.getByRole('textbox', { name: 'Reply' }).fill('From January on.')
  await item.getByRole('button', { name: 'Send reply' }).click()
  await expect(item.getByRole('listitem').filter({ hasText: 'From January on.' })).toBeVisible()
  await page.keyboard.press('s')
  await page.keyboard.press('4')
  await expect(item.getByRole('button', { name: /^Status:/ })).toHaveText('Status:Resolved')

  await openOwnItems(visitor)
  const list = visitor.page.getByRole('dialog', { name: 'What you sent' })
  await expect(list.getByRole('listitem')).toContainText('Do you deliver to Malta?')
  await expect(list.getByText('Resolved')).toBeVisible()
  await expect(list.getByText('From January on.')).toBeVisible()
  await expect(list.getByText('Grace Hopper')).toBeVisible()
  // What the team says among itself stays there.
  await expect(list.getByText('Malta again')).toHaveCount(0)
  await visitor.leave()

  const other = await visit(browser, website.addressAt(project.domain))
  await sendAs(other, 'Somebody else')
  await openOwnItems(other)
  const others = other.page.getByRole('dialog', { name: 'What you sent' })
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
    await atHome.press('What you sent')
    const list = atHome.page.getByRole('dialog', { name: 'What you sent' })
    if (count) await expect(list.getByRole('listitem')).toContainText('The oak one squeaks')
    else await expect(list.getByText('Nothing yet from this browser.')).toBeVisible()
    await atHome.leave()
  }
})

test('what a machine sends is kept apart, says why, and can be let out', async ({ page, project, browser }) => {
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
  await expect(page.getByText('A field was filled in that people do not see.')).toBeVisible()
  await expectGoodLooks(page)

  await page.getByRole('article').getByRole('button', { name: 'Not spam' }).click()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toContainText('Cheap chairs here')
  await rows(page).getByRole('link').click()
  await page.getByRole('article').getByRole('button', { name: 'Not spam' }).click()
  await expect(rows(page)).toHaveCount(0)
  await goTo(page, 'Inbox')
  await expect(rows(page)).toContainText('Cheap chairs here')
})
