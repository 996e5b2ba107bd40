import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/*
 * Focus returns to the list after writing, and an internal note is never emailed by mistake. A search that
 * finds nothing leads on.
 */
const item = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')

test('Escape leaves what is being written, and after a reply the next is a note again', async ({ page, project }) => {
  await project.send('An older one')
  const id = await project.send({ message: 'The chair wobbles', email: 'vera@example.org' })
  await page.goto(`${project.inbox}&item=${id}`)
  await expect(item(page).getByRole('region', { name: 'History' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(item(page).getByRole('textbox', { name: 'Reply', exact: true })).toBeFocused()
  await page.keyboard.type('We are looking into it')
  await page.keyboard.press('Control+Enter')
  await expect(item(page).getByRole('listitem').filter({ hasText: 'looking into it' })).toBeVisible()
  await expect(item(page).getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type('half a')
  await page.keyboard.press('Escape')
  await expect(item(page).getByRole('textbox', { name: 'Note' })).not.toBeFocused()
  await expect(item(page).getByRole('textbox', { name: 'Note' })).toHaveValue('half a')
  await expect(rows(page).first().getByRole('link')).toBeFocused()
  await page.keyboard.press('c')
  await expect(item(page).getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(item(page).locator('article > div > p')).toHaveText('An older one')
  await expectGoodLooks(page)
})

test('an item is archived and brought back by the button beside its others', async ({ page, project }) => {
  await project.send('The older one')
  const id = await project.send('The newer one')
  await page.goto(`${project.inbox}&item=${id}`)
  await item(page).getByRole('button', { name: 'Archive' }).click()
  await expect(item(page).locator('article > div > p')).toHaveText('The older one')
  await expect(rows(page)).toHaveCount(1)
  await expect.poll(async () => (await project.getItem(id)).location).toBe('archived')
  await page.goto(`${project.inbox}&item=${id}`)
  await item(page).getByRole('button', { name: 'Move to inbox' }).click()
  await expect.poll(async () => (await project.getItem(id)).location).toBe('inbox')
})

test('a change arrives although the tab is closed while it is being sent', async ({ page, project }) => {
  const id = await project.send('The last one for today')
  await page.goto(`${project.inbox}&item=${id}`)
  await expect(item(page).getByRole('button', { name: 'Archive' })).toBeVisible()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 500,
  })
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await item(page).getByRole('button', { name: 'Archive' }).click()
  await sent
  await page.close()
  await expect.poll(async () => (await project.getItem(id)).location).toBe('archived')
})

test('a search that finds nothing in the inbox leads to the archive', async ({ page, project }) => {
  const id = await project.send('The drawer of the wardrobe jams')
  await project.send('Lovely lamps')
  await project.changeItem(id, { archived: true })
  await page.goto(`/dashboard/feedback?q=wardrobe`)
  await expect(page.getByText('No results for “wardrobe”')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('link', { name: 'Search the archive' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('The drawer of the wardrobe jams')
  await expect(page).toHaveTitle('Archived · Feedback · Earshot')
})

test('an unknown unsubscribe link leads to the notification settings', async ({ page }) => {
  await page.goto('/unsubscribe/nonsense')
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('link', { name: 'Notification settings' }).click()
  await expect(page).toHaveURL(/\/dashboard\/settings\/notifications$/)
})
