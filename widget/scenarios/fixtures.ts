import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { collectComplaints } from './complaints.ts'
import { type Host, startHost } from './host.ts'

/** The widget as a visitor meets it. */
export class Visitor {
  readonly page: Page
  readonly launcher: Locator
  readonly panel: Locator
  readonly message: Locator
  readonly send: Locator

  constructor(page: Page) {
    this.page = page
    this.launcher = page.getByRole('button', { name: 'Feedback', exact: true })
    this.panel = page.getByRole('dialog', { name: /^(Send us your feedback|Thank you|Not sent yet)$/ })
    this.message = this.panel.getByRole('textbox', { name: 'Your message' })
    this.send = this.panel.getByRole('button', { name: 'Send feedback' })
  }

  async open(): Promise<void> {
    await this.launcher.click()
    await expect(this.message).toBeFocused()
  }

  async write(message: string): Promise<void> {
    await this.open()
    await this.message.fill(message)
  }

  async seesReceipt(number = 123): Promise<void> {
    await expect(this.panel.getByRole('heading', { name: `Your feedback is #${number}.` })).toBeVisible({
      timeout: 20_000,
    })
  }
}

export const test = base.extend<{ host: Host; visitor: Visitor; complaints: string[] }>({
  // Names under example.test lead to this machine, so that a page can have a real host name.
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP *.test 127.0.0.1']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  host: async ({}, use) => {
    const host = await startHost()
    await use(host)
    await host.stop()
  },
  visitor: async ({ page }, use) => use(new Visitor(page)),
  complaints: [
    async ({ page }, use) => {
      const complaints = collectComplaints(page)
      await use(complaints)
      expect(complaints, 'errors and policy violations on the page').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
