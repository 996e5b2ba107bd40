import type { Page } from '@playwright/test'
import { type CustomerWebsite, startCustomerWebsite } from '../../../e2e/customer-website.ts'
import { type GuideBlock, readBlocks, readGuide } from '../../../scripts/checks/guide-text.ts'
import { expect, test } from '../fixtures.ts'
import type { Host } from '../host.ts'

/* The code that guides show to sites is run as it is, in a browser. */

/** Blocks of a guide, with the address and the key of a project in the place of their placeholders. */
async function readCode(host: Host, name: string): Promise<GuideBlock[]> {
  const address = `http://127.0.0.1:${host.port}`
  return readBlocks(await readGuide(name)).map(({ language, text }) => ({
    language,
    text: text.replaceAll('https://{{host}}', address).replaceAll('{{key}}', host.settings.key),
  }))
}

const websites: CustomerWebsite[] = []
test.afterEach(async () => {
  await Promise.all(websites.splice(0).map((website) => website.stop()))
})

/** Shows a page of a site that contains the given HTML. */
async function openPage(page: Page, body: string): Promise<void> {
  const website = await startCustomerWebsite(() => body, '')
  websites.push(website)
  await page.goto(website.url)
}

test('the line of the installation guide shows the button, and the guide’s own button opens the panel', async ({
  page,
  host,
  visitor,
}) => {
  const blocks = await readCode(host, 'install-the-widget')
  const line = blocks[0]?.text ?? ''
  const button = blocks.at(-1)?.text ?? ''
  expect([line, button]).toEqual([
    expect.stringContaining(`/e/${host.settings.key}.js`),
    expect.stringContaining('id='),
  ])
  await openPage(page, button + line)
  await page.locator('#feedback').click()
  await expect(visitor.message).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(visitor.panel).toBeHidden()
})

test('calls made in front of the script reach it', async ({ page, host, visitor }) => {
  const stub = (await readCode(host, 'javascript-api')).find(({ language }) => language === 'html')?.text ?? ''
  const line = (await readCode(host, 'install-the-widget'))[0]?.text ?? ''
  await openPage(page, stub + line)
  await visitor.write('Signed in')
  await visitor.send.click()
  await visitor.seesReceipt()
  expect(host.received[0]).toMatchObject({ visitor: { id: 'u_42' }, email: 'ada@example.com', name: 'Ada' })
})

test('the examples of the JavaScript API do what they say', async ({ page, host, visitor }) => {
  const code = (await readCode(host, 'javascript-api')).filter(({ language }) => language === 'js')
  const find = (part: string) => code.find(({ text }) => text.includes(part))?.text ?? ''
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  const line = (await readCode(host, 'install-the-widget'))[0]?.text ?? ''
  await openPage(page, `<div id="feedback-form"></div>${line}`)
  await expect(visitor.launcher).toBeVisible()

  await page.evaluate(find("{ container: '#feedback-form' }"))
  await expect(page.locator('#feedback-form').getByRole('textbox', { name: 'Your message' })).toBeVisible()
  await page.evaluate("earshot('close')")

  await page.evaluate(find("'submit'"))
  await page.evaluate(find("'beforesend'"))
  await page.evaluate(find('The payment failed.'))
  await expect(visitor.message).toHaveValue('The payment failed.')
  await visitor.send.click()
  await visitor.seesReceipt()
  expect(host.received[0]).toMatchObject({ type: 'bug', rating: 2, tags: ['release-12'] })
  expect(lines).toContain('Thank you, this is #123')
  await page.evaluate("earshot('close')")

  await page.evaluate(find("'screenshot'"))
  await expect(page.getByRole('dialog', { name: 'Annotate' }).or(visitor.panel)).toBeVisible()
  expect(code).toHaveLength(5)
})
