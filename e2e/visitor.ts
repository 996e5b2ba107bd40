import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { signedOutState } from './team.ts'

/** What Chromium needs to record: a microphone that hums, and the page's own pixels without a question. */
export const recordingFlags = ['--use-fake-device-for-media-stream', '--auto-accept-this-tab-capture']

/** A visitor of a customer's website, and the widget's panel. */
export interface Visitor {
  readonly page: Page
  readonly panel: Locator
  open(): Promise<void>
  write(message: string): Promise<void>
  press(name: string): Promise<void>
  /** Takes the picture of what is in sight. */
  takePicture(): Promise<void>
  recordVoice(milliseconds: number): Promise<void>
  recordScreen(milliseconds: number): Promise<void>
  /** Sends, and waits for the number. */
  send(): Promise<void>
  leave(): Promise<void>
}

/** A new browser, which has never been anywhere, on a page with the snippet. */
export async function visit(browser: Browser, url: string): Promise<Visitor> {
  const context = await browser.newContext({ storageState: signedOutState, permissions: ['microphone'] })
  const page = await context.newPage()
  await page.goto(url)
  return meetVisitor(page)
}

/** The visitor of a page that is already there. */
export function meetVisitor(page: Page): Visitor {
  const panel = page.getByRole('dialog', { name: /^(Send us your feedback|Thank you|Not sent yet)$/ })
  const press = (name: string) => panel.getByRole('button', { name, exact: true }).click()
  const stopAfter = async (milliseconds: number) => {
    const stop = panel.getByRole('button', { name: 'Stop', exact: true })
    await expect(stop).toBeFocused({ timeout: 20_000 })
    await page.waitForTimeout(milliseconds)
    await stop.click()
  }
  return {
    page,
    panel,
    press,
    async open() {
      await page.getByRole('button', { name: 'Feedback', exact: true }).click()
      await expect(panel).toBeVisible()
    },
    write: (message) => panel.getByRole('textbox', { name: 'Your message' }).fill(message),
    async takePicture() {
      await press('Screenshot')
      await page.getByRole('dialog', { name: 'Annotate the screenshot' }).getByRole('button', { name: 'Done' }).click()
      await expect(panel.getByRole('button', { name: /^Annotate/ })).toBeVisible()
    },
    async recordVoice(milliseconds) {
      await press('Voice note')
      await stopAfter(milliseconds)
      await expect(panel.locator('audio')).toBeVisible()
    },
    async recordScreen(milliseconds) {
      await press('Screen recording')
      await press('Start')
      await stopAfter(milliseconds)
      await expect(panel.locator('video')).toBeVisible()
    },
    async send() {
      await press('Send feedback')
      await expect(panel.getByRole('heading', { name: /Your feedback is #\d+/ })).toBeVisible({ timeout: 20_000 })
    },
    leave: () => page.context().close(),
  }
}

/** The snippet of a project, as its owner copies it. */
export const writeSnippet = (widgetKey: string) =>
  `<script async crossorigin src="${process.env.EARSHOT_URL}/e/${widgetKey}.js"></script>`
