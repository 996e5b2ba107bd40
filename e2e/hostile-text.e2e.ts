import { v7 as uuidV7 } from 'uuid'
import { expectNoOverlap, expectNothingRan, expectWithin, markup, zalgo } from './hostile.ts'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { type Sent, test } from './team.ts'

/*
 * Whatever a visitor writes, the team reads it as text: nothing runs, nothing loads, and nothing pushes the page apart.
 */
const hostile: (Sent & { sign: string })[] = [
  {
    sign: 'Markup',
    message: `Markup ${markup}`,
    name: markup,
    page: { url: `https://shop.example/<script>alert(1)</script>?q="onmouseover="alert(2)`, title: markup },
    context: { userAgent: markup, [`<b>${'key'}</b>`]: markup },
    metadata: { html: markup, nested: { deeper: [{ still: markup }] } },
  },
  {
    sign: 'Endless',
    message: `Endless ${'W'.repeat(9_990)}`,
    name: 'N'.repeat(200),
    page: { url: `https://shop.example/${'p'.repeat(4000)}`, title: 'T'.repeat(500) },
    metadata: { word: 'M'.repeat(60_000), ['k'.repeat(100)]: 'short' },
  },
  {
    sign: 'Turned',
    message: 'Turned \u202egnp.exe\u202c \u2066isolated\u2069 \u202dleft\u202c and never closed \u202e',
    name: 'Eve\u202egrO.lave',
    page: { url: 'https://shop.example/%E2%80%AEgnp', title: '\u202eeltiT' },
    metadata: { plan: '\u202eeerf' },
  },
  {
    sign: 'שלום',
    message: 'שלום, הכפתור לא עובד. \nمرحبا، الزر لا يعمل في Safari 17.',
    name: 'משה',
    page: { url: 'https://shop.example/', title: 'דף הבית' },
  },
  { sign: 'Zalgo', message: `Zalgo ${zalgo}`, name: zalgo.slice(0, 200), page: { url: 'https://shop.example/z' } },
  {
    sign: 'Controls',
    message: 'Controls \u0007\u001b[31mred\u0000 \ud800 half, 👩‍👩‍👧‍👦 whole \r\n=HYPERLINK("https://evil.example")',
    name: '\u200b\u200b\u200b',
    page: { url: 'http://127.0.0.1:1/?next=javascript:alert(1)', title: ' ' },
    metadata: { toString: 'x', hasOwnProperty: null, '': 'no name' },
  },
]

test('hostile text is text, on every screen it reaches', async ({ page, project }) => {
  test.setTimeout(120_000)
  for (const { sign: _, ...sent } of hostile) await project.send(sent)
  await page.goto(project.inbox)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(project.inbox)
    for (const { sign, message } of hostile) {
      const row = page.getByRole('region', { name: 'Feedback' }).getByRole('link').filter({ hasText: sign })
      await expect(row).toBeVisible()
      await expectNoSidewaysScroll(page)
      await row.click()
      const item = page.getByRole('region', { name: 'Item', exact: true })
      await expect(item.getByRole('region', { name: 'History' })).toBeVisible()
      if (sign !== 'Controls') {
        const shown = await item.locator('article > div > p').textContent()
        expect(shown).toBe(message)
      }
      await expectNoSidewaysScroll(page)
      await expectWithin(item)
      await expectNoOverlap(item)
      await expectNothingRan(page)
      await page.goBack()
      await expect(row).toBeVisible()
    }
  }
  await page.goto(`${project.inbox}&q=markup`)
  await page.getByRole('link', { name: /Markup/ }).click()
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toContainText('{{7*7}}')
  await expectGoodLooks(page)
  await page.goto('/dashboard')
  await expect(page.getByText(/^Endless WWW/).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectNothingRan(page)
})

test('text in unusual directions stays in its place', async ({ page, project }) => {
  await project.send({ message: 'אבגדה', name: 'Eve\u202eevE', page: { url: 'https://shop.example/', title: 'כותרת' } })
  await page.goto(project.inbox)
  await page.getByRole('link', { name: /אבגדה/ }).click()
  const message = page.getByRole('region', { name: 'Item', exact: true }).locator('article > div > p')
  await expect(message).toHaveText('אבגדה')
  // The words are shown before the rest of the item, and then again with it.
  await expect(message).toHaveCSS('direction', 'rtl')
  // A name that turns the writing direction does not turn what follows it.
  const line = page.getByRole('region', { name: 'History' }).getByRole('listitem').first()
  const [name, rest] = await line.evaluate((element) => {
    const range = document.createRange()
    const boxOf = (node: Node) => {
      range.selectNodeContents(node)
      return range.getBoundingClientRect()
    }
    const bdi = element.querySelector('bdi')
    const after = bdi?.nextSibling
    return bdi && after ? [boxOf(bdi).right, boxOf(after).left] : []
  })
  expect(rest).toBeGreaterThanOrEqual(name ?? Number.POSITIVE_INFINITY)
  await expectGoodLooks(page)
})

test('an address that is no web page is refused, with the field named', async ({ page, project }) => {
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    'shop',
  ]
  for (const url of refused) {
    const answer = await project.post({ id: uuidV7(), type: 'bug', message: 'Not a page', page: { url } })
    expect([url, answer.status]).toEqual([url, 400])
    const problem = (await answer.json()) as { fields: { path: string }[] }
    expect(problem.fields.map(({ path }) => path)).toContain('body.page.url')
  }
  await page.goto(project.inbox)
  await expect(page.getByText('No results')).toBeVisible()
})
