import { expect, test } from '../fixtures.ts'
import { openScript } from '../open-script.ts'

for (const [library, name] of [
  ['Material Web', 'material'],
  ['Web Awesome', 'web-awesome'],
  ['focus-trap with its default options', 'focus-trap'],
  ['React Aria', 'react-aria'],
  ['Ark UI', 'ark'],
  ['a trap that captures every focus', 'focus-capture'],
  ['the browser', 'native'],
] as const) {
  test(`feedback over a modal dialog of ${library}, which stays open`, async ({ page, host, visitor }) => {
    await openScript(page, host, 'modals', name)
    await expect(visitor.launcher).toBeVisible()
    await page.getByRole('button', { name: 'Basket' }).click()
    const coupon = page.getByRole('textbox', { name: 'Coupon' })
    // Some libraries focus the dialog first.
    await coupon.click()
    await expect(coupon).toBeFocused()
    await visitor.open()
    await page.keyboard.type('Typed here')
    await expect(visitor.message).toHaveValue('Typed here')
    // Pressed by a pointer, each part does what it does elsewhere, once.
    const idea = visitor.panel.getByRole('radio', { name: 'Idea' })
    await idea.check()
    await expect(idea).toBeChecked()
    await visitor.message.click()
    await page.keyboard.press('End')
    await page.keyboard.type('.')
    await page.keyboard.press('Tab')
    await expect(visitor.panel.locator(':focus')).toHaveCount(1)
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received).toMatchObject([{ message: 'Typed here.', type: 'idea' }])

    // Escape closes what the visitor is in, and only that.
    await page.keyboard.press('Escape')
    await expect(visitor.panel).toBeHidden()
    await expect(coupon).toBeVisible()
    await coupon.click()
    await page.keyboard.type('SPRING')
    await expect(coupon).toHaveValue('SPRING')
    await page.keyboard.press('Escape')
    await expect(coupon).toBeHidden()
    await visitor.open()
  })
}

test('a dialog in nested shadow roots that opens and goes away while the panel is open: the text stays', async ({
  page,
  host,
  visitor,
}) => {
  await openScript(page, host, 'modals', 'native')
  await visitor.write('I was writing this')
  await page.evaluate(() => {
    const outer = document.createElement('div')
    const inner = document.createElement('div')
    document.body.append(outer)
    outer.attachShadow({ mode: 'open' }).append(inner)
    inner.attachShadow({ mode: 'open' }).innerHTML = '<dialog><input aria-label="Gift card" /></dialog>'
    inner.shadowRoot?.querySelector('dialog')?.showModal()
    // What a framework does that draws a dialog only while it is open.
    Object.assign(window, { dropDialog: () => inner.remove() })
  })
  await expect(page.getByRole('textbox', { name: 'Gift card' })).toBeFocused()
  await visitor.message.click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await page.evaluate(() => (window as unknown as { dropDialog(): void }).dropDialog())
  await expect(visitor.message).toHaveValue('I was writing this!')
  await visitor.send.click()
  await visitor.seesReceipt()
})

test('a field of the page hears the focus that comes from the panel', async ({ page, host, visitor }) => {
  await openScript(page, host, 'modals', 'native')
  await page.evaluate(() => {
    const field = document.createElement('input')
    field.ariaLabel = 'Search'
    for (const type of ['focus', 'focusin']) field.addEventListener(type, () => field.append(type))
    document.body.append(field)
  })
  await visitor.open()
  const search = page.getByRole('textbox', { name: 'Search' })
  await search.click()
  await expect(search).toHaveText('focusfocusin')
})

test('the button and the panel work over an element that fills the screen, and after it', async ({
  page,
  host,
  visitor,
}) => {
  await openScript(page, host, 'modals', 'native')
  await expect(visitor.launcher).toBeVisible()
  await page.evaluate(() => document.querySelector('main')?.requestFullscreen())
  await page.mouse.move(300, 300)
  await visitor.write('On a full screen')
  await page.evaluate(() => document.exitFullscreen())
  await expect(visitor.message).toBeFocused()
  await page.evaluate(() => document.querySelector('main')?.remove())
  await expect(visitor.message).toHaveValue('On a full screen')
  await visitor.send.click()
  await visitor.seesReceipt()
})
