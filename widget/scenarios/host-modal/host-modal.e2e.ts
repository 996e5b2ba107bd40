import { expect, test } from '../fixtures.ts'

test.describe('a modal dialog of the page', () => {
  test('open before: the widget works above it', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('host-modal'))
    await expect(visitor.launcher).toBeVisible()
    await page.locator('#native').click()
    await visitor.write('The coupon field is broken')
    await visitor.send.click()
    await visitor.seesReceipt()
    await expect(page.locator('dialog')).toBeVisible()
  })

  test('opening and closing while the panel is open: text and focus stay', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('host-modal'))
    await visitor.write('I was writing this')
    await page.evaluate(() => document.querySelector<HTMLElement>('#native')?.click())
    await visitor.message.click()
    await visitor.message.press('End')
    await page.keyboard.type('!')
    await expect(visitor.message).toHaveValue('I was writing this!')
    await page.evaluate(() => document.querySelector('dialog')?.close())
    await expect(visitor.message).toBeVisible()
    await page.evaluate(() => document.querySelector<HTMLElement>('#native')?.click())
    await expect(page.locator('dialog[open]')).toBeVisible()
    await page.evaluate(() => document.querySelector('#portal')?.remove())
    await expect(visitor.message).toBeVisible()
    await expect(visitor.message).toHaveValue('I was writing this!')
    await visitor.send.click()
    await visitor.seesReceipt()
  })

  test('gone within the frame in which it opened, just after another closed: the panel stays in reach', async ({
    page,
    host,
    visitor,
  }) => {
    await page.goto(host.pageUrl('host-modal'))
    await visitor.write('I was writing this')
    await page.evaluate(() => document.querySelector<HTMLElement>('#native')?.click())
    await visitor.message.click()
    await page.evaluate(async () => {
      document.querySelector('dialog')?.close()
      // The closed dialog's size is told at the end of a frame, and the panel moves out a moment later.
      await new Promise(requestAnimationFrame)
      await new Promise((done) => setTimeout(done, 5))
      document.querySelector<HTMLElement>('#native')?.click()
      document.querySelector('#portal')?.remove()
    })
    await expect(visitor.message).toHaveValue('I was writing this')
    await visitor.send.click()
    await visitor.seesReceipt()
  })

  test('ended just after it moved into a dialog: nothing comes back', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('host-modal'))
    await visitor.write('I was writing this')
    await page.evaluate(async () => {
      document.querySelector<HTMLElement>('#native')?.click()
      // It moves in a moment after the event, and looks again 99 ms later.
      await new Promise((done) => setTimeout(done, 30))
      window.earshot?.('destroy')
      await new Promise((done) => setTimeout(done, 200))
    })
    await expect(visitor.launcher).toHaveCount(0)
    await expect(visitor.message).toHaveCount(0)
  })

  test('with a focus trap and closing on a press outside: neither reaches the visitor', async ({
    page,
    host,
    visitor,
  }) => {
    await page.goto(host.pageUrl('host-modal'))
    await expect(visitor.launcher).toBeVisible()
    await page.locator('#trap').click()
    await visitor.open()
    await page.keyboard.type('Trapped no more')
    await expect(visitor.message).toHaveValue('Trapped no more')
    await expect(page.locator('.trap')).toBeVisible()
    await visitor.send.click()
    await visitor.seesReceipt()
  })
})
