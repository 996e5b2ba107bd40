import type { Page } from '@playwright/test'
import type { StorageState } from './accounts.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/** Someone who has just signed up, for each test: the tour is offered once. */
const test = teamTest.extend<{ newcomer: Team; storageState: StorageState }>({
  newcomer: async ({ browser }, use) => use(await createTeam(browser)),
  storageState: async ({ newcomer }, use) => use(newcomer.storageState),
})

const titles = [
  'Welcome to Earshot',
  'Your organisation',
  'Projects',
  'Create a project',
  'Install the widget',
  'The feedback dashboard',
  'Documentation',
  'You know your way around',
]
const offer = (page: Page) => page.getByRole('button', { name: 'Take the tour' })
const step = (page: Page, index: number) => page.getByRole('dialog', { name: titles[index] ?? '' })

test('a newcomer takes all eight steps by keyboard, and is not offered the tour again', async ({ page, newcomer }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('dialog'), 'it waits to be asked for').toHaveCount(0)
  await offer(page).press('Enter')
  for (const [index, title] of titles.entries()) {
    await expect(step(page, index), title).toBeFocused()
    await expect(step(page, index)).toContainText(`Step ${index + 1} of 8`)
    if (index === 0) await expect(step(page, 0).getByRole('button', { name: 'Back' })).toHaveCount(0)
    if (index === 3) await expect(page).toHaveURL(/\/dashboard\/projects$/)
    if (index === 5) await expect(step(page, 5)).toContainText('filters by status, priority and type')
    if (index === 1 || index === 4) await expectGoodLooks(page)
    const label = index === 2 ? 'Continue' : index === 7 ? 'Finish' : 'Next'
    await step(page, index).getByRole('button', { name: label }).press('Enter')
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // On another device, too.
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
  expect(newcomer.organizationName).not.toBe('')
})

test('the tooltip is 320 px wide, 16 px beside what it is about, which is highlighted with 4 px around it', async ({
  page,
}) => {
  await page.goto('/dashboard')
  await offer(page).click()
  await step(page, 0).getByRole('button', { name: 'Next' }).click()
  const link = await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Organisation' })
    .boundingBox()
  const tooltip = await step(page, 1).boundingBox()
  expect(tooltip?.width).toBe(320)
  expect((tooltip?.x ?? 0) - ((link?.x ?? 0) + (link?.width ?? 0))).toBe(4 + 16)
})

test('it is left by Skip Tour, by the close button and by Escape, and the focus returns', async ({ page }) => {
  await page.goto('/dashboard')
  await offer(page).click()
  await step(page, 0).getByRole('button', { name: 'Next' }).click()
  await step(page, 1).getByRole('button', { name: 'Back' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const name of ['Skip Tour', 'Close tour']) {
    // As any part of the app, or a page's own script, starts it.
    await page.evaluate(() =>
      window.dispatchEvent(new CustomEvent('earshot:start-tour', { detail: { tourId: 'welcome' } })),
    )
    await step(page, 0).getByRole('button', { name }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.evaluate(() =>
    window.dispatchEvent(new CustomEvent('earshot:start-tour', { detail: { tourId: 'no-such' } })),
  )
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The palette starts it again.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tour')
  await page.keyboard.press('Enter')
  await expect(step(page, 0)).toBeVisible()
})

test('on a phone, steps about the hidden sidebar stand in the middle', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/dashboard')
  await offer(page).click()
  for (let index = 0; index < 3; index += 1) {
    const box = await step(page, index).boundingBox()
    expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 320]).toEqual([true, true])
    await step(page, index)
      .getByRole('button', { name: index === 2 ? 'Continue' : 'Next' })
      .click()
  }
  await expect(step(page, 3)).toBeVisible()
})
