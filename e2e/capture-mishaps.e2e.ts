import type { Locator, Page } from '@playwright/test'
import type { Attachment } from '#contract/files.ts'
import { type CustomerWebsite, startCustomerWebsite } from './customer-website.ts'
import { expect } from './product.ts'
import { test } from './team.ts'
import { meetVisitor, recordingFlags, visit, writeSnippet } from './visitor.ts'

/*
 * What visitors attach when things go wrong: a tab that dies, a network that goes; and the minute before it went wrong.
 */
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...recordingFlags] })
  },
})

let website: CustomerWebsite
let widgetKey = ''
test.beforeAll(async () => {
  website = await startCustomerWebsite(
    () => writeSnippet(widgetKey),
    `<h1>Chairs</h1><label>Coupon <input id="coupon"></label><button id="add">Add</button><ul id="basket"></ul>
    <script>
      document.getElementById('add').onclick = () => {
        const chair = document.createElement('li')
        chair.textContent = 'Oak chair'
        document.getElementById('basket').append(chair)
      }
    </script>`,
  )
})
test.beforeEach(({ project }) => {
  widgetKey = project.widgetKey
})
test.afterAll(() => website.stop())

/** The page in a replay, all of it. Read from outside: in it nothing runs, not even a test. */
const readReplay = (player: Locator) =>
  player.locator('iframe').evaluate((frame: HTMLIFrameElement) => {
    const page = frame.contentDocument
    const values = [...(page?.querySelectorAll('input') ?? [])].map(({ value }) => value)
    return `${page?.body.textContent} ${values}`
  })

/** Opens the only item of the inbox, as it arrives. */
async function openItem(page: Page, inbox: string) {
  await page.goto(inbox)
  const row = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
  await expect(row).toHaveCount(1, { timeout: 30_000 })
  await row.getByRole('link').click()
  return page.getByRole('region', { name: 'Item', exact: true })
}

test('a tab that dies in the middle of a voice note: the next visit offers it, and it can be heard', async ({
  page,
  project,
  browser,
}) => {
  const visitor = await visit(browser, website.url)
  const context = visitor.page.context()
  await visitor.open()
  await visitor.press('Voice note')
  await expect(visitor.panel.getByRole('button', { name: 'Stop', exact: true })).toBeFocused()
  await visitor.page.waitForTimeout(4700)
  await visitor.page.goto('chrome://crash').catch(() => {})
  await visitor.page.close()

  const nextPage = await context.newPage()
  await nextPage.goto(website.url)
  const again = meetVisitor(nextPage)
  await again.open()
  await expect(again.panel.getByText('A recording was interrupted. The recorded part is attached.')).toBeVisible()
  await again.write('I was cut off')
  await again.send()
  await expect(again.panel.getByText('Your files have arrived.')).toBeVisible({ timeout: 20_000 })
  await again.leave()

  const item = await openItem(page, project.inbox)
  const audio = item.getByRole('group', { name: 'Voice note' }).locator('audio')
  await expect(audio).toBeAttached({ timeout: 30_000 })
  // Its last two seconds at most went with the tab.
  await expect
    .poll(() => audio.evaluate(({ duration }: HTMLAudioElement) => duration), { timeout: 30_000 })
    .toBeGreaterThan(1.8)
  await item.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => audio.evaluate(({ currentTime }: HTMLAudioElement) => currentTime)).toBeGreaterThan(0.3)
})

test('the last minute: shown to the visitor, sent, and watched by the team without what was typed', async ({
  page,
  project,
  browser,
}) => {
  await project.publish({ replay: true })
  const visitor = await visit(browser, website.url)
  await visitor.page.waitForTimeout(1500)
  await visitor.page.locator('#coupon').pressSequentially('OAK-SECRET')
  await visitor.page.locator('#add').click()
  await visitor.page.waitForTimeout(500)
  await visitor.open()
  await visitor.write('The basket stays empty')
  // Checked once it is attached, not before.
  const attach = visitor.panel.getByRole('checkbox', { name: 'Attach the last minute on this page' })
  await attach.click()
  await expect(attach).toBeChecked()
  await visitor.press('View')
  await visitor.panel.getByRole('slider').press('End')
  await expect.poll(() => readReplay(visitor.panel)).toContain('Oak chair')
  // It stays while the visitor continues writing.
  await visitor.write('The basket stays empty for long')
  await expect(visitor.panel.getByRole('slider')).toBeVisible()
  expect(await readReplay(visitor.panel)).toContain('Oak chair')
  await visitor.send()
  await expect(visitor.panel.getByText('Your files have arrived.')).toBeVisible({ timeout: 20_000 })
  await visitor.leave()

  const item = await openItem(page, project.inbox)
  const replay = item.getByRole('group', { name: 'Replay' })
  const play = replay.getByRole('button', { name: 'Play' })
  await expect(play).toBeEnabled({ timeout: 30_000 })
  await play.click()
  await expect.poll(() => readReplay(replay), { timeout: 20_000 }).toContain('Oak chair')

  const [listed] = await project.listItems()
  const { attachments } = (await project.getItem(listed?.id ?? '')) as unknown as { attachments: Attachment[] }
  const stored = await fetch(new URL(attachments[0]?.url ?? '', process.env.EARSHOT_URL))
  const events = await stored.text()
  expect(events).toContain('Oak chair')
  expect(events).not.toContain('SECRET')
})

test('offline: the text arrives first, the picture later, and the inbox follows by itself', async ({
  page,
  project,
  browser,
}) => {
  const visitor = await visit(browser, website.url)
  const context = visitor.page.context()
  await visitor.open()
  await visitor.takePicture()
  await visitor.press('Remove: Screenshot')
  await context.setOffline(true)
  await visitor.takePicture()
  await visitor.write('Written in a tunnel')
  await visitor.press('Send feedback')
  await expect(visitor.panel.getByRole('heading', { name: 'You are offline' })).toBeVisible()

  // The network is back, and takes words but no files yet.
  const files = `${process.env.EARSHOT_URL}/e/*/uploads**`
  await context.route(files, (route) => route.abort())
  await context.route(`${files}/*`, (route) => route.abort())
  await context.setOffline(false)
  const item = await openItem(page, project.inbox)
  await expect(item.getByText('Written in a tunnel')).toBeVisible()
  await expect(item.getByText('Screenshot not ready yet')).toBeVisible()
  await context.unrouteAll()
  await expect(item.getByRole('img', { name: 'Screenshot' })).toBeVisible({ timeout: 45_000 })
  await expect(item.getByText('Screenshot not ready yet')).toHaveCount(0)
  await visitor.leave()
})
