import { expect, type Frame, type Page } from '@playwright/test'

/**
 * Waits until the window of a page holds something under a name. Playwright's own `waitForFunction` looks again from
 * within the page, whose policy may forbid that.
 */
export async function waitForName(page: Page | Frame, name: string): Promise<void> {
  await expect.poll(() => page.evaluate((wanted) => wanted in window, name)).toBe(true)
}
