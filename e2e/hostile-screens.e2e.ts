import type { Page } from '@playwright/test'
import { v7 as uuidV7 } from 'uuid'
import { cutText, expectNothingRan, expectUnharmed, expectWithin, listHostile } from './hostile.ts'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { signedOutState, test } from './team.ts'

/*
 * Every field that a stranger, a website or a colleague fills, filled with what does harm elsewhere, on every screen
 * that shows it: it is text, and everything else stays where it was.
 */
const phoneWidth = 390
const widths = [1280, phoneWidth]
const phraseOf = (name: string) => `Chair of kind ${name} with three wobbling legs`

/** Sends a file as the widget does, in one request. @returns its id, to be announced with an item. */
async function sendFile(widgetKey: string, name: string, content: string): Promise<string> {
  const id = uuidV7()
  const parts = Object.entries({ id, kind: 'file', name, mime: 'text/plain' })
  const answer = await fetch(`${process.env.EARSHOT_URL}/e/${widgetKey}/uploads`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(Buffer.byteLength(content)),
      'upload-metadata': parts.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(','),
      'content-type': 'application/offset+octet-stream',
    },
    body: content,
  })
  expect(answer.status).toBe(201)
  return id
}

const openItem = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })

test('an item whose every field is hostile', async ({ page, project }) => {
  test.setTimeout(240_000)
  await project.publish({ fields: [{ id: 'size', kind: 'text', label: '<b>Size</b> \u202etoof', required: false }] })
  const ids: string[] = []
  for (const [name, text] of listHostile(2000)) {
    const short = cutText(text, 50)
    const now = Date.now()
    const upload = await sendFile(project.widgetKey, cutText(text, 250), 'Harmless.')
    const id = await project.send({
      message: `${phraseOf(name)}. ${text}`,
      email: `${name}.${'l'.repeat(40)}@${'d'.repeat(60)}.${'e'.repeat(60)}.example`,
      name: cutText(text, 200),
      visitor: { id: cutText(text, 200) },
      tags: [short, `${short.slice(0, 45)} two`],
      fields: { size: text },
      page: { url: `https://shop.example/?q=${encodeURIComponent(text)}`.slice(0, 4000), title: text.slice(0, 500) },
      context: {
        userAgent: text,
        referrer: text,
        language: short,
        console: [
          [now - 500, 'error', text],
          [now - 400, 'log', text],
        ],
        network: [[now - 300, short, text, 500, 12]],
        routes: [[now - 200, text]],
      },
      metadata: { [cutText(text, 100)]: text, deep: { [short]: [text] } },
      attachments: [{ id: upload, kind: 'file', name: cutText(text, 250) }],
    })
    // Something much the same, to be offered beside it.
    await project.send({ message: `${phraseOf(name)}. ${text}`, name: short })
    await project.addComment(id, 'note', text)
    await project.addComment(id, 'reply', text)
    ids.push(id)
  }

  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(project.inbox)
    const rows = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
    await expect(rows).toHaveCount(ids.length * 2)
    await expectUnharmed(page)
    for (const id of ids) {
      await page.goto(`${project.inbox}&item=${id}`)
      const item = openItem(page)
      await expect(item.getByRole('region', { name: 'Similar items' }).getByRole('listitem')).not.toHaveCount(0)
      await expect(item.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(2)
      await expect(item.getByText('Download')).toBeAttached({ timeout: 20_000 })
      await expectUnharmed(page, item)
      for (const tab of width === phoneWidth ? ['Network', 'Pages'] : []) {
        await item.getByRole('tab', { name: tab }).click()
        await expectUnharmed(page, item)
      }
    }
  }

  const [markupId = ''] = ids
  await page.goto(`${project.inbox}&item=${markupId}`)
  await expect(openItem(page).getByRole('list', { name: 'Messages' })).toBeVisible()
  await expectGoodLooks(page)

  // Search, filters and menus show the same text.
  await page.goto(project.inbox)
  await expect(page.getByRole('region', { name: 'Feedback' }).getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill('wobbling')
  await expect(palette.getByRole('option', { name: /Chair of kind/ }).first()).toBeVisible()
  await expectWithin(palette)
  await expectUnharmed(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expectNoSidewaysScroll(page)
  await expectNothingRan(page)
  await page.keyboard.press('Escape')
})

test('a conversation whose both sides are hostile, and the visitor behind it', async ({
  page,
  project,
  browser,
  mails,
}) => {
  test.setTimeout(180_000)
  const key = project.id.slice(-8)
  const addresses: string[] = []
  for (const [name, text] of listHostile(2000)) {
    const email = `${name}.${key}.${'l'.repeat(40)}@${'d'.repeat(60)}.${'e'.repeat(60)}.example`
    addresses.push(email)
    const id = await project.send({
      message: text,
      email,
      name: cutText(text, 200),
      visitor: { id: `${name} ${key} ${cutText(text, 150)}` },
      page: { url: `https://shop.example/?q=${encodeURIComponent(text)}`.slice(0, 4000), title: cutText(text, 500) },
      context: { userAgent: text },
    })
    await project.addComment(id, 'reply', text)
  }

  const visitor = await (await browser.newContext({ storageState: signedOutState })).newPage()
  for (const [index, [name, text]] of listHostile(2000).entries()) {
    const mail = await mails.waitForMail(addresses[index] ?? '')
    const token = mail.links
      .find((link) => link.includes('/conversation/'))
      ?.split('/')
      .at(-1)
    const answered = await fetch(`${process.env.EARSHOT_URL}/api/v1/conversations/${token}/answers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: uuidV7(), text, solved: name === 'markup' }),
    })
    expect(answered.status).toBe(201)
    for (const width of widths) {
      await visitor.setViewportSize({ width, height: 844 })
      await visitor.goto(`${process.env.EARSHOT_URL}/conversation/${token}`)
      await expect(visitor.getByRole('list', { name: 'Conversation' }).getByRole('listitem')).toHaveCount(3)
      await expectUnharmed(visitor)
      // What a mail program shows.
      await visitor.goto('about:blank')
      await visitor.setContent(mail.html)
      expect(mail.html).not.toMatch(/<script|<img|<svg|javascript:[^<]*"/i)
      await expectUnharmed(visitor, visitor.locator('body'))
      await expect(visitor.locator('body')).toContainText(text.split(/\s/)[0] ?? '')
    }
  }
  await visitor.context().close()

  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const bell = page.getByRole('dialog', { name: 'Notifications' })
    await expect(bell.getByRole('link', { name: /The visitor replied/ })).not.toHaveCount(0)
    await expectUnharmed(page, bell)
    await page.goto(`/dashboard/visitors?q=${key}`)
    const rows = page.locator('main').getByRole('listitem')
    await expect(rows).toHaveCount(addresses.length)
    await expectUnharmed(page)
    for (let index = 0; index < addresses.length; index += 1) {
      await page.goto(`/dashboard/visitors?q=${key}`)
      await rows.nth(index).getByRole('link').click()
      await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible()
      await expect(page.locator('main').getByRole('listitem')).not.toHaveCount(0)
      await expectUnharmed(page)
    }
    await page.getByRole('button', { name: 'Erase' }).click()
    await expectWithin(page.getByRole('dialog'))
    await expectUnharmed(page)
    await page.keyboard.press('Escape')
  }
  await expectGoodLooks(page)
})
