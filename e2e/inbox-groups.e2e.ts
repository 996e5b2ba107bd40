import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/* The inbox in groups. */
const list = (page: Page) => page.getByRole('region', { name: 'Feedback' })
const heading = (page: Page, name: string) => list(page).getByRole('heading', { level: 2, name })
const group = (page: Page, name: string) => list(page).getByRole('region', { name })
const rows = (page: Page, name: string) => group(page, name).getByRole('listitem')

async function groupBy(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Group by/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

test('the list is grouped, with counted headings that stay, close and are passed by keys', async ({
  page,
  project,
  team,
}) => {
  test.setTimeout(120_000)
  const ids: string[] = []
  for (let n = 1; n <= 30; n += 1) {
    ids.push(await project.send({ message: `Chair ${n} wobbles`, type: n % 10 === 0 ? 'idea' : 'bug' }))
  }
  const [first = '', second = ''] = ids
  await project.changeItem(first, { status: 'open', priority: 'high' })
  await page.goto(project.inbox)
  await expect(list(page).getByRole('listitem').first()).toBeVisible()
  await groupBy(page, 'Status')
  await expect(page).toHaveURL(/group=status/)
  await expect(heading(page, 'New 29')).toBeVisible()
  // Above its rows, while they are scrolled through.
  const top = await heading(page, 'New 29').boundingBox()
  await list(page).evaluate((element) => element.scrollTo({ top: 700 }))
  await expect.poll(async () => (await heading(page, 'New 29').boundingBox())?.y).toBe(top?.y)
  await expect(rows(page, 'New 29').filter({ hasText: 'Chair 20 ' })).toBeVisible()
  await list(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await expect(rows(page, 'Open 1')).toHaveCount(1)
  await expect(rows(page, 'Open 1')).toContainText('Chair 1 wobbles')
  await list(page).evaluate((element) => element.scrollTo({ top: 0 }))

  // Closed, a group is its heading, and the keys pass it.
  await heading(page, 'New 29').getByRole('button').click()
  await expect(rows(page, 'New 29')).toHaveCount(0)
  await expect(heading(page, 'New 29').getByRole('button')).toHaveAttribute('aria-expanded', 'false')
  await expect(rows(page, 'Open 1')).toBeVisible()
  await expectGoodLooks(page)
  await heading(page, 'New 29').getByRole('button').press('Enter')
  await expect(rows(page, 'New 29').first()).toContainText('Chair 30')

  // From group to group.
  await groupBy(page, 'Type')
  await expect(heading(page, 'Bug 27')).toBeVisible()
  await page.reload()
  await expect(heading(page, 'Bug 27')).toBeVisible()
  // The first press goes to the first row.
  for (let n = 0; n <= 27; n += 1) await page.keyboard.press('j')
  await expect(rows(page, 'Idea 3').first().getByRole('link')).toBeFocused()
  await expect(rows(page, 'Idea 3').first()).toContainText('Chair 30')
  await page.keyboard.press('k')
  await expect(rows(page, 'Bug 27').last().getByRole('link')).toBeFocused()

  // What changes elsewhere moves at once.
  await groupBy(page, 'Status')
  await project.changeItem(second, { status: 'open' })
  await expect(heading(page, 'New 28')).toBeVisible()
  await list(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await expect(rows(page, 'Open 2')).toHaveCount(2)
  await groupBy(page, 'Assignee')
  await expect(heading(page, 'Unassigned 30')).toBeVisible()
  await project.changeItem(first, { assigneeId: await readOwnId(page) })
  // The row on which the keyboard stands is in view, and the new group above it.
  await expect(heading(page, 'Unassigned 29')).toBeVisible()
  await expect(async () => {
    await list(page).evaluate((element) => element.scrollTo({ top: 0 }))
    await expect(heading(page, `${team.person.fullName} 1`)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await groupBy(page, 'Day received')
  await expect(list(page).getByRole('heading', { level: 2, name: / 30$/ })).toBeVisible()
  await groupBy(page, 'Project')
  await expect(heading(page, `${project.name} 30`)).toBeVisible()
  await expectGoodLooks(page)
  await groupBy(page, 'No groups')
  await expect(list(page).getByRole('heading', { level: 2 })).toHaveCount(0)
  await expect(page).not.toHaveURL(/group=/)
})

async function readOwnId(page: Page): Promise<string> {
  return page.evaluate(() => {
    const stored = Object.values({ ...localStorage, ...sessionStorage }).find((text) => text.includes('access_token'))
    return JSON.parse(stored ?? '{}').user.id
  })
}
