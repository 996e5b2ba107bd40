import { expect, test } from '../fixtures.ts'

test("looks the same under a page's hostile style sheet", async ({ page, host, visitor }) => {
  const measure = () =>
    page.evaluate(() => {
      const root = [...document.documentElement.children].find((element) => element.shadowRoot)?.shadowRoot
      const names = ['color', 'backgroundColor', 'fontSize', 'fontFamily', 'letterSpacing', 'visibility', 'opacity']
      return Array.from(root?.querySelectorAll('*') ?? [], (element) => {
        const { width, height, x, y } = element.getBoundingClientRect()
        const style = getComputedStyle(element) as unknown as Record<string, string>
        const box = [x, y, width, height].map(Math.round)
        return [element.tagName, ...names.map((name) => style[name]), ...box].join(' ')
      })
    })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(host.pageUrl('plain'))
  await visitor.open()
  const calm = await measure()

  await page.goto(host.pageUrl('hostile-css'))
  await visitor.open()
  expect(await measure()).toEqual(calm)
  await expect(visitor.panel).toHaveCSS('direction', 'ltr')
  await visitor.message.fill('Works')
  await visitor.send.click()
  await visitor.seesReceipt()
})
