import type { Page } from '@playwright/test'
import { addSample } from './guide-sample.ts'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { tabTo } from './tab-to.ts'
import { signedOutState, test } from './team.ts'

const findSearch = (page: Page) => page.getByRole('combobox', { name: 'Search the guides' })
const findTab = (page: Page, name: string, nth = 0) => page.getByRole('tab', { name, exact: true }).nth(nth)
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test.describe('a reader who is signed out', () => {
  test.use({ storageState: signedOutState, permissions: ['clipboard-read', 'clipboard-write'] })

  test('finds a guide by keyboard, reads it and copies code', async ({ page }) => {
    await page.goto('/docs')
    await expect(page).toHaveURL(/\/docs\/guides\/[a-z-]+$/)
    const search = findSearch(page)
    await expect(search).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await page.keyboard.type('webhok signatur')
    const results = page.getByRole('option')
    await expect(results.first()).toContainText('Webhooks')
    await expect(page.getByRole('status').filter({ hasText: /results?$/ })).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await expect(results.first()).toHaveAttribute('aria-selected', 'true')
    await expect(search).toHaveAttribute('aria-activedescendant', (await results.first().getAttribute('id')) ?? '')
    await page.keyboard.press('ArrowUp')
    await expect(results.last()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
    await expect(results.first()).toBeHidden()
    await expect(search).toHaveValue('webhok signatur')
    await search.fill('webhooks')
    await expect(results.first()).toHaveText(/^Webhooks/)
    await expectGoodLooks(page)
    await page.keyboard.press('Enter')

    await expect(page).toHaveURL(/\/docs\/guides\/webhooks/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks')
    await expect(
      page
        .getByRole('navigation', { name: 'Guides', exact: true })
        .getByRole('link', { name: 'Webhooks', exact: true }),
    ).toHaveAttribute('aria-current', 'page')
    const copy = page.getByRole('button', { name: 'Copy' }).first()
    await tabTo(page, copy)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await readClipboard(page)).toMatch(/^curl /)
    await expect(page.getByRole('button', { name: 'Copied' })).toHaveCount(0)
    await expectGoodLooks(page)

    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Retries' }).click()
    await expect(page.getByRole('heading', { name: 'Retries' })).toBeInViewport()
    await expect(page.locator('[data-contents] [aria-current]')).toHaveText('Retries')
    await page.getByRole('heading', { name: 'Verify' }).getByRole('link').click()
    await expect(page).toHaveURL(/webhooks#verify$/)
    const next = page.getByRole('navigation', { name: 'Previous and next guide' }).getByRole('link', { name: /^Next/ })
    await next.click()
    await expect(page).not.toHaveURL(/\/webhooks/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('finds what was typed before the page’s script arrived', async ({ page }) => {
    const script = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await script.promise
      await route.continue()
    })
    await page.goto('/docs/guides/slack', { waitUntil: 'commit' })
    await findSearch(page).click()
    await page.keyboard.type('slack')
    await expect(page.getByRole('listbox')).toBeHidden()
    script.resolve()
    await expect(page.getByRole('option').first()).toContainText('Slack')
  })

  test('is told when nothing is found, and when the search fails', async ({ page }) => {
    await page.goto('/docs/guides/slack')
    await findSearch(page).fill('qqqqzzzzxxxx')
    await expect(page.getByText('No results for “qqqqzzzzxxxx”').first()).toBeVisible()
    await expectGoodLooks(page)
    await page.route('**/api/v1/docs/search**', (route) => route.abort())
    await findSearch(page).fill('slack')
    await expect(page.getByText('Couldn’t search the guides. Try again.').first()).toBeVisible()
    await page.unroute('**/api/v1/docs/search**')
    await findSearch(page).fill('slack ')
    await expect(page.getByRole('option').first()).toContainText('Slack')
    await findSearch(page).fill('x'.repeat(10_000))
    await expect(findSearch(page)).toHaveValue(/^x+$/)
    await page.getByRole('heading', { level: 1 }).click()
    await expect(page.getByRole('listbox')).toBeHidden()
  })

  test('selects a framework once, by keyboard, for all tabs and the next visit', async ({ page }) => {
    await addSample(page, 'slack')
    await page.goto('/docs/guides/slack')
    await expect(findTab(page, 'HTML')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('YOUR_KEY')).toBeVisible()
    await expect(page.getByText('The second for React.')).toBeVisible()
    await expectGoodLooks(page)
    await findTab(page, 'Vue').click()
    await expect(page.getByText('The second for Vue.')).toBeVisible()
    await expect(findTab(page, 'HTML'), 'a group without it stays').toHaveAttribute('aria-selected', 'true')
    await findTab(page, 'HTML').focus()
    await page.keyboard.press('ArrowRight')
    await expect(findTab(page, 'React')).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: 'React' })).toHaveCount(2)
    await expect(page.getByText('The second for React.')).toBeVisible()
    await expect(page.getByText('YOUR_KEY')).toBeHidden()
    await page.keyboard.press('ArrowRight')
    await expect(findTab(page, 'HTML')).toBeFocused()
    await page.keyboard.press('End')
    await page.reload()
    await expect(findTab(page, 'React')).toHaveAttribute('aria-selected', 'true')
    await findTab(page, 'HTML').click()
    await page.goto('/docs/guides/discord')
    await page.goto('/docs/guides/slack#in-react')
    await expect(page.getByRole('heading', { name: 'In React' })).toBeInViewport()
  })

  test('reads everything on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/docs/guides/webhooks')
    await expectNoSidewaysScroll(page)
    await page.getByText('All guides', { exact: true }).click()
    await expect(page.getByRole('navigation', { name: 'All guides' })).toBeVisible()
    await expectGoodLooks(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('navigation', { name: 'All guides' }).getByRole('link', { name: 'Slack', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Slack')
  })

  test('who follows a link to a guide that is gone sees so, and can reload', async ({ page }) => {
    const reply = await page.goto('/docs/guides/nothing')
    expect(reply?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expectGoodLooks(page)
    const again = page.waitForResponse('**/docs/guides/nothing')
    await page.getByRole('button', { name: 'Reload Page' }).click()
    expect((await again).status()).toBe(404)
  })
})

test.describe('without scripts', () => {
  test.use({ storageState: signedOutState, javaScriptEnabled: false })

  test('all of a guide is there to read', async ({ page }) => {
    await addSample(page, 'slack')
    await page.goto('/docs/guides/slack')
    for (const text of ['A component.', 'The second for React.', 'The second for Vue.', 'YOUR_KEY']) {
      await expect(page.getByText(text)).toBeVisible()
    }
    await expect(findSearch(page)).toBeHidden()
    await page.getByRole('link', { name: /^Next/ }).click()
    await expect(page).not.toHaveURL(/slack/)
  })
})

test('a signed-in reader gets the key of their project in the code, and selects another', async ({
  page,
  team,
  project,
}) => {
  const other = await team.makeProject('Another site')
  await addSample(page, 'slack')
  await page.goto('/docs/guides/slack')
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  const choice = page.getByLabel('Code for your project')
  await choice.selectOption(project.id)
  await expect(page.getByText(`/e/${project.widgetKey}.js`)).toBeVisible()
  await expectGoodLooks(page)
  await choice.selectOption(other.id)
  await expect(page.getByText(`/e/${other.widgetKey}.js`)).toBeVisible()
  await page.reload()
  await expect(page.getByText(`/e/${other.widgetKey}.js`)).toBeVisible()
  const { text } = await page.evaluate(async () => ({ text: await (await fetch(window.location.href)).text() }))
  expect(text, 'the page itself is the same for everyone').not.toContain(other.widgetKey)
})

test('the guides are read inside the dashboard', async ({ page, project }) => {
  await addSample(page, 'slack')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Documentation' }).click()
  await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Slack/ })).toBeVisible()
  await expectGoodLooks(page)

  await page.keyboard.press('/')
  await page.keyboard.type('slak')
  await expect(page.getByRole('option').first()).toContainText('Slack')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/documentation/slack')
  await expect(page).toHaveTitle('Slack · Earshot')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Slack')
  await page.getByLabel('Code for your project').selectOption(project.id)
  await expect(page.getByText(`/e/${project.widgetKey}.js`)).toBeVisible()
  await findTab(page, 'React').click()
  await expect(page.getByRole('heading', { name: 'In React' })).toBeVisible()
  await expectGoodLooks(page)

  // Links of the text lead to guides in the dashboard, without loading it again.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.goto('/dashboard/documentation/webhooks#retries')
  await expect(page.getByRole('heading', { name: 'Retries' })).toBeInViewport()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.getByRole('article').getByRole('link', { name: 'Events', exact: true }).first().click()
  await expect(page).toHaveURL('/dashboard/documentation/webhook-events')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Events')
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await page.getByRole('link', { name: 'Documentation', exact: true }).click()
  await expect(page).toHaveURL('/dashboard/documentation')
})

test('a guide that is unknown or does not load is told in the dashboard', async ({ page }) => {
  await page.goto('/dashboard/documentation/nothing')
  await expect(page.getByRole('heading', { name: 'Guide not found' })).toBeVisible()
  await expectGoodLooks(page)
  await page.route('**/api/v1/docs/guides', (route) => route.fulfill({ status: 400, json: {} }))
  await page.getByRole('link', { name: 'All guides' }).click()
  await expect(page.getByText('Couldn’t load the guides')).toBeVisible()
  await page.unroute('**/api/v1/docs/guides')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('link', { name: /^Slack/ })).toBeVisible()
})
