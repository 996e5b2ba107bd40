import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/*
 * Rules of the lists that ad blockers use, as of 2026, which other widgets met (EasyList, Fanboy's Annoyances), and the
 * words that their maintainers look for. Nothing that a visitor's browser sees of ours may come near them.
 */
const blockedIds = [
  ...[
    'feedback-tab',
    'feedback_callout',
    'feedback_widget_tab',
    'feedback-bottomentry',
    'feedbacklinktab',
    'feedbuttons',
  ],
  ...['usrFeedbackButton', 'cne-feedback-button', 'survey_overlay', 'uservoice-feedback', 'uservoice-feedback-tab'],
]
const blockedClasses = [
  ...['feedback-button', 'feedback-button-left', 'feedbackTab', 'floatingfeedback', 'preview-feedback-button'],
  ...['fdbk_tab_right', 'fby-tab', 'oo_tab_right', 'notification-bar', 'notification-box', 'notification-wrapper'],
]
const blockedPaths = [/\/btn-feedback\./, /\/surveyShower\./, /\/feedback-v2\.js/, /\/flags\b/, /\/f\.js$/]
const tellingWords =
  /feedback|widget|survey|track|analytics|collect|beacon|telemetry|metrics|pixel|banner|popup|\bads?\b/i

/** Every id, class and attribute name of ours on the page, in all shadow roots. */
function readNames(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const names: string[] = []
    const read = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) read(element.shadowRoot)
        const isOurs = element.shadowRoot || element.getRootNode() instanceof ShadowRoot
        if (!isOurs) continue
        names.push(element.id, ...element.classList, ...element.getAttributeNames(), element.localName)
      }
    }
    read(document)
    return [...new Set(names)].filter(Boolean)
  })
}

test('no address, id, class or attribute is one that block lists know', async ({ page, host, visitor }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  const names = new Set<string>()
  const look = async () => {
    for (const name of await readNames(page)) names.add(name)
  }
  await page.goto(host.pageUrl('restricted'))
  await expect(visitor.launcher).toBeVisible()
  await look()
  await visitor.write('Seen by a blocker')
  await look()
  await visitor.panel
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('hello'),
    })
  await look()
  await visitor.send.click()
  await visitor.seesReceipt()
  await look()
  await page.keyboard.press('Escape')
  await page.goto('about:blank')

  const paths = addresses
    .filter((address) => address.includes(`127.0.0.1:${host.port}`))
    .concat(host.requested.map((line) => `http://127.0.0.1:${host.port}${line.split(' ')[1]}`))
    .map((address) => new URL(address).pathname)
  expect(paths.length).toBeGreaterThan(5)
  for (const path of paths) {
    expect(path).not.toMatch(tellingWords)
    for (const rule of blockedPaths) expect(path).not.toMatch(rule)
  }
  expect([...names].filter((name) => tellingWords.test(name))).toEqual([])
  for (const name of [...blockedIds, ...blockedClasses]) expect(names.has(name), name).toBe(false)
})
