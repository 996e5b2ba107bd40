import { expect, test } from '../fixtures.ts'

test("keeps the visitor's keys from the page's shortcuts", async ({ page, host, visitor }) => {
  await page.goto(host.pageUrl('host-shortcuts'))
  await visitor.open()
  await page.keyboard.type('a/k j? e')
  await expect(visitor.message).toHaveValue('a/k j? e')
  await expect(page.getByLabel('Search')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(visitor.panel).toBeHidden()
  expect(await page.evaluate(() => (window as unknown as { swallowed: string[] }).swallowed)).toEqual([])

  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('j')
  expect(await page.evaluate(() => (window as unknown as { swallowed: string[] }).swallowed)).toContain('j')
})
