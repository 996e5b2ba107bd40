import type { Page } from '@playwright/test'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { signedOutState, test } from './team.ts'

/*
 * A conversation of visitor and team: a reply is emailed, its link opens without an account, and the visitor's answer
 * stands in the inbox at once.
 */

const openItem = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })

async function reply(page: Page, text: string): Promise<void> {
  const item = openItem(page)
  await item.getByRole('button', { name: 'Reply', exact: true }).click()
  await item.getByRole('textbox', { name: 'Reply', exact: true }).fill(text)
  await page.keyboard.press('Control+Enter')
  await expect(item.getByRole('listitem').filter({ hasText: text })).toBeVisible()
}

test('a reply reaches the visitor by email, and their answer appears live', async ({
  page,
  project,
  browser,
  mails,
}) => {
  const email = `visitor-${project.id.slice(-8)}@example.org`
  const id = await project.send({ message: 'The <b>oak</b> chair\nhas three legs.', email, name: 'Vera' })
  await page.goto(`${project.inbox}&item=${id}`)
  await reply(page, 'Sorry! A fourth is on its way: https://northwind.example/legs')
  const item = openItem(page)
  await expect(item.locator('[data-delivery="sent"]')).toContainText(`Sent to ${email}`)

  const mail = await mails.waitForMail(email)
  expect(mail.subject).toMatch(/^Northwind: your message #\d+$/)
  expect(mail.html).toContain('Grace Hopper of Northwind replied to you')
  expect(mail.text).toContain('> The <b>oak</b> chair')
  const origin = new URL(page.url()).origin
  expect([...new Set(mail.links.map((link) => new URL(link).origin))]).toEqual([origin])
  const link = mail.links.find((each) => each.includes('/conversation/')) ?? ''

  await item.getByRole('button', { name: /^Status:/ }).click()
  await page.keyboard.press('4')
  await expect(item.getByRole('button', { name: /^Status:/ })).toHaveText('Status:Resolved')

  const context = await browser.newContext({ storageState: signedOutState })
  const visitor = await context.newPage()
  const answer = await visitor.goto(link)
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  expect(answer?.headers()['x-robots-tag']).toContain('noindex')
  await expect(visitor.getByText('has three legs.')).toBeVisible()
  await expect(visitor.getByText('Resolved')).toBeVisible()
  await expect(visitor.getByText('A fourth is on its way')).toBeVisible()
  await expectGoodLooks(visitor)

  // The open page shows what the team writes and changes, without a reload.
  await project.addComment(id, 'reply', 'It left this morning.')
  await expect(visitor.getByText('It left this morning.')).toBeVisible({ timeout: 8000 })

  await visitor.getByLabel('Reply', { exact: true }).fill('It came,\nbut it is <i>pine</i>.')
  await visitor.getByRole('button', { name: 'Send' }).click()
  const sentAt = Date.now()
  await expect(item.getByRole('listitem').filter({ hasText: 'but it is <i>pine</i>.' })).toContainText('Vera')
  expect(Date.now() - sentAt).toBeLessThan(2000)
  await expect(item.getByRole('button', { name: /^Status:/ })).toHaveText('Status:Open')
  await expect(item.getByRole('region', { name: 'History' })).toContainText('The visitor reopened this with a reply')
  await expect(visitor.getByText('Sent to the team.')).toBeVisible()
  await expect(visitor.getByRole('list', { name: 'Conversation' }).getByRole('listitem')).toHaveCount(4)

  await visitor.getByRole('button', { name: 'This solved it' }).click()
  await expect(item.getByText('Marked as solved')).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'This solved it' })).toHaveCount(0)
  await expectGoodLooks(page)

  // Thrown away: the link leads nowhere, and says so.
  await project.changeItem(id, { deleted: true })
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Conversation not found' })).toBeVisible()
  await expectGoodLooks(visitor)
  await visitor.goto(`${origin}/conversation/forged`)
  await expect(visitor.getByRole('heading', { name: 'Conversation not found' })).toBeVisible()
  await context.close()
})

test('a note mentions a colleague by keyboard, and a draft outlives going elsewhere', async ({ page, project }) => {
  const [first, second] = [await project.send('One'), await project.send('Two')]
  await page.goto(`${project.inbox}&item=${first}`)
  const item = openItem(page)
  await expect(item.getByRole('heading', { name: /Bug/ })).toBeVisible()
  await page.keyboard.press('c')
  await expect(item.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type('Look, @gra')
  await expect(item.getByRole('option', { name: 'Grace Hopper' })).toBeVisible()
  await expectGoodLooks(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('please')
  await expect(item.getByRole('textbox', { name: 'Note' })).toHaveValue('Look, @Grace Hopper please')
  await page.goto(`${project.inbox}&item=${second}`)
  await page.goBack()
  await expect(item.locator('article > div > p')).toHaveText('One')
  await page.keyboard.press('Escape')
  await expect(item).toBeHidden()
  await page.getByRole('link', { name: /Two/ }).click()
  await expect(item.locator('article > div > p')).toHaveText('Two')
  await item.getByRole('textbox', { name: 'Note' }).fill('A draft')
  await page.getByRole('link', { name: /One/ }).click()
  await expect(item.locator('article > div > p')).toHaveText('One')
  await expect(item.getByRole('textbox', { name: 'Note' })).toHaveValue('Look, @Grace Hopper please')
  await page.getByRole('link', { name: /Two/ }).click()
  await expect(item.getByRole('textbox', { name: 'Note' })).toHaveValue('A draft')
  await item.getByRole('textbox', { name: 'Note' }).fill('Ask @Gra')
  await page.keyboard.press('Tab')
  await item.getByRole('button', { name: 'Add note' }).click()
  await expect(item.getByRole('listitem').filter({ hasText: 'Ask @Grace Hopper' })).toBeVisible()
})

test('duplicates merge, by suggestion or number, and come apart again', async ({ page, project }) => {
  const first = await project.send('The checkout button does nothing when I pay with a voucher')
  const second = await project.send('Checkout button does nothing when I pay by voucher')
  await project.send('Please add a dark mode')
  await page.goto(`${project.inbox}&item=${second}`)
  const item = openItem(page)
  const similar = item.getByRole('region', { name: 'Similar items' })
  await expect(similar.getByRole('listitem')).toHaveCount(1)
  await similar.getByRole('button', { name: 'Merge into #1' }).click()
  await expect(item.getByText('Merged into #1, which is new.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(item.getByText(/^Merged into #1/)).toHaveCount(0)
  await expect(page.getByRole('link', { name: /by voucher/ }).first()).toBeVisible()

  await item.getByRole('button', { name: 'Merge into…' }).click()
  await page.getByLabel('Number of the other item').fill('#2')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('must be another item')
  await page.getByLabel('Number of the other item').fill('#1')
  await page.keyboard.press('Enter')
  await expect(item.getByText('Merged into #1, which is new.')).toBeVisible()
  await expectGoodLooks(page)
  await item.getByRole('link', { name: '#1' }).first().click()
  await expect(page).toHaveURL(new RegExp(first))
  await expect(item.getByRole('region', { name: /Merged into this/ }).getByRole('listitem')).toContainText('#2')
  await expect(item.getByRole('region', { name: 'History' })).toContainText('merged #2 into this')
  await expectGoodLooks(page)
  await expectNoSidewaysScroll(page)
  await item.getByRole('button', { name: 'Unmerge #2' }).click()
  await expect(item.getByRole('region', { name: /Merged into this/ })).toHaveCount(0)
  await expect(item.getByRole('region', { name: 'History' })).toContainText('unmerged #2 from this')
})

test('replies travel as one thread that no machine answers', async ({ project, mails }) => {
  const email = `thread-${project.id.slice(-8)}@example.org`
  const id = await project.send({ message: 'The oak chair has three legs.', email })
  const readHeaders = async (mailId: string) =>
    (await (await fetch(`${process.env.EARSHOT_MAIL_URL}/email/${mailId}`)).json()) as {
      from: { address: string; name: string }[]
      envelope: { from: { address: string } }
      messageId: string
      headers: Record<string, unknown>
    }
  await project.addComment(id, 'reply', 'Which one?')
  const first = await mails.waitForMail(email)
  await project.addComment(id, 'reply', 'We found it.')
  const second = await mails.waitForMail(email, { after: first })
  const [one, two] = [await readHeaders(first.id), await readHeaders(second.id)]

  // In the project's name, from the instance's address: bounces go there, too.
  expect(one.from[0]?.name).toBe(project.name)
  expect(one.envelope.from.address).toBe(one.from[0]?.address)
  const domain = one.from[0]?.address.split('@').at(-1)
  for (const { messageId, headers } of [one, two]) {
    expect(messageId).toMatch(new RegExp(`^<?[0-9a-f-]{36}@${domain}>?$`))
    // Auto-responders ignore such emails (RFC 3834, section 2).
    expect(headers['auto-submitted']).toBe('auto-generated')
    expect(headers['x-auto-response-suppress']).toBe('All')
    // It answers what they asked: there is no list to leave.
    expect(headers).not.toHaveProperty('list-unsubscribe')
    expect(headers).not.toHaveProperty('reply-to')
  }
  expect(one.messageId).not.toBe(two.messageId)
  // Both continue the item, and the second the first: one thread, in the mailbox and in its order.
  const bare = (messageId: string) => messageId.replaceAll(/[<>]/g, '')
  expect(String(one.headers['in-reply-to'])).toContain(id)
  expect(String(two.headers['in-reply-to'])).toContain(bare(one.messageId))
  expect(String(two.headers.references)).toContain(id)
  expect(String(two.headers.references)).toContain(bare(one.messageId))
  expect(second.subject).toBe(first.subject)
  // A reply by email is answered with the conversation's link, through an address signed for this conversation.
  expect(second.text).toContain('this inbox isn’t monitored')
  const [link, again] = [first, second].map((mail) => mail.links.find((each) => each.includes('/conversation/')))
  expect(link).toBe(again)
  const forged = `${link?.slice(0, -1)}${link?.endsWith('A') ? 'B' : 'A'}`.split('/').at(-1)
  expect((await fetch(`${process.env.EARSHOT_URL}/api/v1/conversations/${forged}`)).status).toBe(404)
})
