import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/* What those do who handle many items a day: bug reports for a tracker, undo by key, the visitor's window. */
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const item = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('an item is copied as a bug report from its menu, by key and from the palette', async ({ page, project }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const now = Date.now()
  const id = await project.send({
    message: '# The basket is empty\n![x](https://evil.example/x.png)',
    email: 'vera@example.org',
    context: {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      language: 'de',
      viewport: { width: 1280, height: 720 },
      routes: [[now - 65_000, '/basket']],
      console: [[now - 2000, 'error', 'TypeError: items is undefined']],
      network: [[now - 1500, 'GET', 'https://shop.example/api/items', 503, 88]],
    },
  })
  await page.goto(`${project.inbox}&item=${id}`)
  await item(page).getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy as bug report' })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('menuitem', { name: 'Copy as bug report' }).click()
  await expect(page.getByText('#1: copied as bug report').first()).toBeVisible()
  const report = await readClipboard(page)
  const lines = report.split('\n')
  expect(lines).toContain('## Bug 1: \\# The basket is empty')
  expect(lines).toContain(`- **Page:** <https://${project.domain}/chairs>`)
  expect(lines).toContain('- **Browser:** Firefox 145 on Linux')
  expect(lines).toContain('- **Window:** 1280 × 720')
  expect(lines).toContain(`- **Item:** <${new URL(page.url()).origin}/dashboard/feedback?item=${id}>`)
  expect(report).toContain('1. Opened ` /basket `')
  expect(report).toContain('TypeError: items is undefined')
  expect(report).toContain('GET https://shop.example/api/items → 503 (88 ms)')
  expect(report).not.toContain('![')
  expect(report).not.toContain('vera')
  await expectGoodLooks(page)

  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.keyboard.press('b')
  await expect.poll(() => readClipboard(page)).toBe(report)

  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('bug report')
  await page.keyboard.press('Enter')
  await expect.poll(() => readClipboard(page)).toBe(report)
})

test('Ctrl+Z undoes the latest changes one after another, of one item and of many, and leaves text alone', async ({
  page,
  project,
}) => {
  for (const word of ['third', 'second', 'first']) await project.send(`The ${word} chair`)
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(3)
  await rows(page).first().getByRole('link').focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('No change to undo').first()).toBeVisible()

  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('p')
  await page.keyboard.press('4')
  await expect(page.getByText('2 items: priority set to High').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(page.getByText('#1: archived', { exact: true }).first()).toBeVisible()
  await expect(rows(page)).toHaveCount(2)

  // In a text field it undoes typing.
  await page.keyboard.press('/')
  await page.keyboard.type('a')
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('searchbox').blur()

  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone · #1: archived').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone · 2 items: priority set to High').first()).toBeVisible()
  for (const item of await project.listItems()) expect(item).toMatchObject({ priority: 'none', location: 'inbox' })
  await expectGoodLooks(page)
})

test('the visitor’s page opens in a window of the visitor’s size', async ({ browser, team, project }) => {
  const context = await browser.newContext({ storageState: team.storageState, viewport: null })
  const page = await context.newPage()
  const url = `${new URL(process.env.EARSHOT_URL ?? '').origin}/login`
  const id = await project.send({
    message: 'Too narrow',
    page: { url },
    context: { viewport: { width: 640, height: 480 } },
  })
  await page.goto(`${project.inbox}&item=${id}`)
  const opened = context.waitForEvent('page')
  await item(page)
    .getByRole('button', { name: /^Open at 640 × 480/ })
    .click()
  const visited = await opened
  await expect.poll(() => visited.evaluate(() => [innerWidth, innerHeight])).toEqual([640, 480])
  expect(await visited.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  await context.close()
})
