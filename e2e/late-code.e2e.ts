import type { Page } from '@playwright/test'
import { holdRequests } from './hold.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/** The code of menus and windows does not arrive before it is released, and none is loaded ahead. */
async function holdOverlays(page: Page) {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  return holdRequests(page, '**/assets/overlays-*')
}

test('a menu takes the keys that are pressed while its code is on its way', async ({ page, project }) => {
  await project.send('Squeaks in the rain')
  const code = await holdOverlays(page)
  await page.goto(project.inbox)
  await expect(page.getByRole('link', { name: /Squeaks in the rain/ })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('t')
  await code.came
  // Alone, most of these letters are shortcuts: e archives, s changes the status.
  await page.keyboard.type('seen here')
  await page.keyboard.press('Enter')
  code.release()
  await expect(page.getByText(/tagged seen here/).first()).toBeVisible()
  await expect.poll(async () => (await project.listItems()).map(({ tags }) => tags)).toEqual([['seen here']])
})

test('a control opens its menu by a press that comes before the menu’s code', async ({ page, project }) => {
  const code = await holdOverlays(page)
  await page.goto(`/dashboard/projects/${project.id}`)
  const account = page.getByRole('button', { name: 'Account menu' })
  await account.click()
  await code.came
  code.release()
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  await expect(account).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(account).toBeFocused()
  await expect(account).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await account.click({ force: true })
  await expect(menu).toBeHidden()

  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
  await bell.click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeHidden()
})

test('the command palette takes the keys that are pressed while its code is on its way', async ({ page, project }) => {
  await project.send('Squeaks in the rain')
  const code = await holdRequests(page, '**/assets/command-palette-*')
  await page.goto(project.inbox)
  await page.getByRole('link', { name: /Squeaks in the rain/ }).click()
  await page.keyboard.press('Control+k')
  await code.came
  await page.keyboard.type('zebra')
  code.release()
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toHaveValue('zebra')
  expect(await project.listItems()).toHaveLength(1)
})

test('a form takes the Enter that is pressed while its window’s code is on its way', async ({ page, project }) => {
  const code = await holdRequests(page, '**/assets/new-organization-*')
  await page.goto(project.inbox)
  await page.getByRole('button', { name: /Switch organisation$/ }).click()
  await expect(page.getByRole('combobox', { name: 'Find an organisation' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await code.came
  await page.keyboard.press('Enter')
  code.release()
  const dialog = page.getByRole('dialog', { name: 'Create an organisation' })
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await page.keyboard.type('Northwind')
  await expect(dialog.getByLabel('Organisation name')).toHaveValue('Northwind')
})

test('an item’s words are there before the code of its page is', async ({ page, project }) => {
  await project.send('Squeaks in the rain')
  const code = await holdRequests(page, '**/assets/feedback-detail-*')
  await page.goto(project.inbox)
  await page.getByRole('link', { name: /Squeaks in the rain/ }).click()
  await code.came
  const item = page.getByRole('region', { name: 'Item' })
  const words = item.getByText('Squeaks in the rain')
  await expect(words).toBeVisible()
  await expect(item.getByRole('heading', { name: /#\d+$/ })).toBeVisible()
  const place = await words.boundingBox()
  code.release()
  await expect(item.getByRole('heading', { name: 'History' })).toBeVisible()
  expect(await words.boundingBox()).toEqual(place)
})

test('Escape takes back a menu that was asked for before the item’s page is there', async ({ page, project }) => {
  await project.send('Squeaks in the rain')
  const code = await holdRequests(page, '**/assets/feedback-detail-*')
  await page.goto(project.inbox)
  await page.getByRole('link', { name: /Squeaks in the rain/ }).click()
  await code.came
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  code.release()
  const item = page.getByRole('region', { name: 'Item' })
  await expect(item.getByRole('heading', { name: 'History' })).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(item).toBeHidden()
})
