import type { Page } from '@playwright/test'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/*
 * The inbox in one hand: everything in reach of a thumb, nothing cut off on the smallest phones, and the way back leads
 * to where one was.
 */
test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

const leastPixels = 40
const item = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')

/**
 * What can be pressed and is lower than a finger needs, or reaches out of the window, even once its row was scrolled to
 * it. Links within a text may be.
 */
async function findHardToPress(page: Page): Promise<string[]> {
  return await page.evaluate((least) => {
    const pressable = document.querySelectorAll<HTMLElement>('main :is(button, input, select, [role="option"], nav a)')
    return [...pressable].flatMap((element) => {
      // A row of tabs scrolls sideways; the document does not, see expectNoSidewaysScroll.
      const row = element.closest('nav')
      if (row && row.scrollWidth > row.clientWidth) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { width, height, left, right } = element.getBoundingClientRect()
      const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      if (!isShown || width <= 1 || height <= 1 || element.closest('article, label') !== null) return []
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      if (height >= least && left >= 0 && right <= window.innerWidth) return []
      return [`${name}: ${Math.round(width)} × ${Math.round(height)} px from ${Math.round(left)}`]
    })
  }, leastPixels)
}

test('everything is in reach of a thumb, down to 320 px', async ({ page, project }) => {
  await project.send({ message: 'The chair wobbles', email: 'vera@example.org', rating: 2 })
  await project.send({ message: 'The drawer jams', type: 'idea' })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${project.inbox}&type=bug&type=idea`)
    await expect(rows(page)).toHaveCount(2)
    expect(await findHardToPress(page)).toEqual([])
    await expectNoSidewaysScroll(page)
    await page.goto(`${project.inbox}&location=spam`)
    await expect(page.getByRole('link', { name: 'Spam' })).toBeInViewport({ ratio: 1 })
    await page.goBack()

    await rows(page).first().getByRole('link').tap()
    await expect(item(page).getByRole('region', { name: 'History' })).toBeVisible()
    expect(await findHardToPress(page)).toEqual([])
    await expectNoSidewaysScroll(page)
    await item(page).getByRole('button', { name: 'More' }).tap()
    const link = page.getByRole('menuitem', { name: 'Copy link' })
    await expect(link).toBeVisible()
    await expect.poll(async () => (await link.boundingBox())?.height).toBeGreaterThanOrEqual(leastPixels)
    await page.keyboard.press('Escape')
    await item(page).getByRole('button', { name: 'Back to the list' }).tap()
    await expect(rows(page)).toHaveCount(2)
  }
})

test('the way back leads to where the list was', async ({ page, project }) => {
  for (let number = 1; number <= 30; number += 1) await project.send(`Chair number ${number}`)
  await page.goto(project.inbox)
  await expect(rows(page).first()).toContainText('Chair number 30')
  const scroller = page.locator('[data-inbox-list]')
  await scroller.evaluate((element) => element.scrollTo(0, 900))
  const row = rows(page).filter({ hasText: 'Chair number 12' })
  await expect(row).toBeInViewport()
  const before = await scroller.evaluate((element) => element.scrollTop)
  await row.getByRole('link').tap()
  await expect(item(page).locator('article > div > p')).toHaveText('Chair number 12')
  await expect(page).toHaveTitle(/^#12 Chair number 12 · Earshot$/)
  await page.goBack()
  await expect(row).toBeInViewport()
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(before)
  await expect(page).toHaveTitle(/Feedback · Earshot$/)
  await expectGoodLooks(page)
})
