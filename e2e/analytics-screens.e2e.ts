import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

test('a project’s analytics follow new feedback, by keyboard, as a table and as a file', async ({ page, project }) => {
  await project.send({
    message: 'The drawer sticks',
    type: 'bug',
    rating: 2,
    page: { url: `https://${project.domain}/drawers/12` },
  })
  await project.send({ message: 'A deeper drawer, please', type: 'idea', rating: 5 })
  await page.goto(`/dashboard/analytics?project=${project.id}&days=7`)
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics' })).toBeVisible()
  const volume = card(page, 'Items over time by type')
  await expect(async () => {
    await page.reload()
    await expect(volume.getByText('2', { exact: true }).first()).toBeVisible({ timeout: 6_000 })
  }).toPass({ timeout: 30_000 })
  await expect(card(page, 'Average rating over time').getByText('3.5 of 5')).toBeVisible()
  await expect(card(page, 'Pages with the most feedback').getByText('/drawers/*')).toBeVisible()
  await expectGoodLooks(page)

  // Each step is spoken; Enter leads to its items.
  const slider = volume.getByRole('slider')
  await slider.focus()
  await expect(slider).toHaveAttribute('aria-valuetext', /All 2, Bug 1, Idea 1, Previous period 0$/)
  await slider.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', /All 0/)
  await slider.press('End')

  await volume.getByRole('button', { name: 'Items over time by type: show as table' }).click()
  await expect(volume.getByRole('row')).toHaveCount(8)
  await expect(volume.getByRole('row').last().getByRole('cell').first()).toHaveText('2')
  await expectGoodLooks(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    volume.getByRole('button', { name: 'Items over time by type: download as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('items-by-type.csv')
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(8)
  expect(csv).toContain('Days,All,Previous period,Bug,Idea')

  await volume.getByRole('button', { name: 'Items over time by type: show as table' }).click()
  await slider.focus()
  await slider.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dashboard/feedback\\?.*project=${project.id}`))
})

test('bars are to scale: of one measure in the funnel, and as long as the percentage beside them', async ({
  page,
  project,
}) => {
  for (const rating of [5, 5, 5, 2]) await project.send({ message: 'A lamp', rating })
  await page.route('**/analytics/funnel?*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const totals = { loaded: 986, opened: 493, submitted: 129 }
    for (const [stage, total] of Object.entries(totals)) Object.assign(json[stage], { total, previousTotal: 0 })
    await route.fulfill({ response, json })
  })
  const ratings = card(page, 'Ratings by value')
  await expect(async () => {
    await page.goto(`/dashboard/analytics?project=${project.id}&days=7`)
    await expect(ratings.getByText('75 %')).toBeVisible({ timeout: 6_000 })
  }).toPass({ timeout: 30_000 })
  expect(await measureBars(ratings)).toEqual([75, 0, 0, 25, 0])
  expect(await measureBars(card(page, 'Conversion funnel'))).toEqual([100, 50, 13])
})

/** How much of its track each bar takes, in percent. */
function measureBars(within: Locator): Promise<number[]> {
  return within.getByRole('listitem').evaluateAll((rows) =>
    rows.map((row) => {
      const track = row.querySelector('[aria-hidden="true"]')
      const bar = track?.firstElementChild
      return Math.round((100 * (bar?.getBoundingClientRect().width ?? 0)) / (track?.getBoundingClientRect().width ?? 1))
    }),
  )
}

test('days are chosen, stand in the address, and a project shows its own', async ({ page, project }) => {
  await project.send('A lamp that flickers')
  await page.goto(`/dashboard/analytics?project=${project.id}`)
  const volume = card(page, 'Items over time by type')

  // The address holds what is chosen.
  await page.getByRole('radio', { name: '12 months' }).click()
  await expect(page).toHaveURL(/days=364/)
  await page.getByRole('radio', { name: 'Custom range' }).click()
  await page.getByLabel('First day').fill('2026-02-01')
  await page.getByLabel('Last day').fill('2026-01-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The last day is before the first.')).toBeVisible()
  await page.getByLabel('Last day').fill('2026-02-28')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/from=2026-02-01&to=2026-02-28/)
  await expect(volume.getByText('No feedback in this period.')).toBeVisible()
  await expectGoodLooks(page)
  await volume.getByRole('link', { name: 'Show 12 months' }).click()
  await expect(page).toHaveURL(new RegExp(`days=364&project=${project.id}`))

  // Sums follow within seconds.
  await expect(async () => {
    await page.goto(`/dashboard/projects/${project.id}/analytics`)
    await expect(card(page, 'Items over time by type').getByRole('slider')).toBeVisible({ timeout: 6_000 })
  }).toPass({ timeout: 30_000 })
  await expectGoodLooks(page)
})

test('the dashboard summarises the inbox, and a month by the day', async ({ page, project }) => {
  await project.send('A lamp that flickers')
  await page.goto('/dashboard')
  const unread = page.getByRole('link', { name: /^Unread/ })
  await expect(unread).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Unresolved by priority' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Waiting longest' })).toBeVisible()
  const items = page.getByRole('slider', { name: /^Items, by day/ })
  await items.focus()
  await page.keyboard.press('Home')
  await expect(items).toHaveAttribute('aria-valuetext', /^\d{1,2} \w+ \d{4}: \d/)
  await expectGoodLooks(page)
  await unread.click()
  await expect(page).toHaveURL(/\/dashboard\/feedback\?unread=true/)
})

test('a chart links to exactly the days it counted, in every time zone', async ({ browser, team, project }) => {
  await project.send('A lamp that flickers')
  // Where it is tomorrow already for half of the day, and where it is still yesterday for the other half.
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const context = await browser.newContext({ storageState: team.storageState, timezoneId })
    const page = await context.newPage()
    await page.goto(`/dashboard/analytics?project=${project.id}&days=7`)
    await expect(page.getByText(/Days are in UTC: they start at \d\d:00 your time/)).toBeVisible()
    const slider = card(page, 'Items over time by type').getByRole('slider')
    // Sums follow within seconds.
    await expect(async () => {
      await page.reload()
      await expect(slider).toBeVisible({ timeout: 6_000 })
    }).toPass({ timeout: 30_000 })
    await slider.focus()
    await slider.press('End')
    await slider.press('Enter')
    await expect(page).toHaveURL(/days=utc/)
    await expect(page.getByText(/\(UTC\)/)).toBeVisible()
    await expect(page.getByText('A lamp that flickers').first()).toBeVisible()
    await context.close()
  }
})
