import type { Locator, Page } from '@playwright/test'

const mostSteps = 80

/**
 * Presses Tab until the control has the focus, as keyboard users do.
 *
 * @throws Error when the focus comes to rest nowhere near, or goes round without it
 */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let step = 0; step < mostSteps; step += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${control} is not reached with ${mostSteps} presses of Tab.`)
}
