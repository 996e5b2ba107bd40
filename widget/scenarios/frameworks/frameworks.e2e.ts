import { expect, test } from '../fixtures.ts'
import { openScript } from '../open-script.ts'

interface Hydrating {
  hydrate(text: string): void
}

for (const [when, text] of [
  ['fits', 'Bought'],
  ['does not fit, so that React removes what it does not know', 'Sold'],
] as const) {
  test(`a hydration of the whole document that ${when}`, async ({ page, host, visitor }) => {
    await openScript(page, host, 'frameworks', 'hydrate', 'hydrate.html')
    await expect(visitor.launcher).toBeVisible()
    await page.evaluate((now) => (window as unknown as Hydrating).hydrate(now), text)
    await page.getByRole('button', { name: `${text} 0` }).click()
    await expect(page.getByRole('button', { name: `${text} 1` })).toBeVisible()
    await visitor.write('After hydration')
    await page.getByRole('button', { name: `${text} 1` }).click()
    await expect(page.getByRole('button', { name: `${text} 2` })).toBeVisible()
    await visitor.send.click()
    await visitor.seesReceipt()
    await expect(visitor.launcher).toHaveCount(1)
  })
}

test("Radix's modal dialog stays open, and neither its trap nor its lock reaches the visitor", async ({
  page,
  host,
  visitor,
}) => {
  await openScript(page, host, 'frameworks', 'dialog', 'dialog.html')
  await expect(visitor.launcher).toBeVisible()
  await page.getByRole('button', { name: 'Basket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your basket' })
  await expect(dialog).toBeVisible()
  await visitor.open()
  await page.keyboard.type('Trapped no more')
  await expect(visitor.message).toHaveValue('Trapped no more')
  await page.keyboard.press('Tab')
  await expect(visitor.panel.locator(':focus')).toHaveCount(1)
  await expect(dialog).toBeVisible()
  await visitor.send.click()
  await visitor.seesReceipt()
  // Escape closes what the visitor is in, not the page's dialog beneath.
  await page.keyboard.press('Escape')
  await expect(visitor.panel).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.getByRole('textbox', { name: 'Coupon' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})
