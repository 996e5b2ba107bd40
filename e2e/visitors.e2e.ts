import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { tabTo } from './tab-to.ts'
import { test } from './team.ts'

test('a visitor is found, looked at, taken away and erased', async ({ page, project }) => {
  const address = `grace.${randomUUID().slice(0, 8)}@example.org`
  await project.send({ message: 'The chairs wobble.', email: address, name: 'Grace Visitor' })
  const second = await project.send({ message: 'They still wobble.', email: address.toUpperCase(), rating: 2 })

  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Visitors' }).click()
  await expect(page.getByRole('heading', { name: 'Visitors' })).toBeVisible()
  await page.getByLabel('Find a visitor').fill(address.slice(0, 14))
  const row = page.getByRole('listitem').filter({ hasText: 'Grace Visitor' })
  await expect(row).toContainText(address, { ignoreCase: true })
  await expect(page).toHaveURL(/\?q=grace/)
  await expectGoodLooks(page)
  await row.getByRole('link').click()

  await expect(page.getByRole('heading', { name: 'Grace Visitor' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'The chairs wobble.' })).toBeVisible()
  await expectGoodLooks(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = await readFile(await (await download).path())
  expect(saved.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
  await page.getByRole('link', { name: /They still wobble/ }).click()
  await expect(page).toHaveURL(new RegExp(`item=${second}`))
})

test('a visitor is erased by typing who they are', async ({ page, project }) => {
  const address = `mary.${randomUUID().slice(0, 8)}@example.org`
  const kept = await project.send({ message: 'Someone else wrote this.', email: `else-${address}` })
  await project.send({ message: 'The chairs wobble.', email: address })
  await project.send({ message: 'They still wobble.', email: address.toUpperCase() })
  await page.goto(`/dashboard/feedback?visitor=${encodeURIComponent(address)}`)
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Questions')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/&view=/)
  await page.goto(`/dashboard/visitors/${encodeURIComponent(address)}`)
  await page.getByRole('button', { name: 'Erase' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 items in 1 project')
  await expect(dialog).toContainText('1 saved view that names this visitor')
  await expectGoodLooks(page)
  const confirm = dialog.getByRole('button', { name: 'Erase permanently' })
  await dialog.getByRole('textbox').fill('someone else')
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill(address)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Erased' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('status').filter({ hasText: '2 items' })).toBeVisible()

  expect((await project.listItems()).map(({ id }) => id)).toEqual([kept])
  await page.goto(`/dashboard/visitors/${encodeURIComponent(address)}`)
  await expect(page.getByText('Visitor not found')).toBeVisible()
  await expectGoodLooks(page)
})

test('a visitor is found and erased with the keyboard alone', async ({ page, project }) => {
  const address = `keys.${randomUUID().slice(0, 8)}@example.org`
  await project.send({ message: 'The chairs wobble.', email: address, name: 'Keyboard Visitor' })
  await page.goto('/dashboard/visitors')
  await tabTo(page, page.getByLabel('Find a visitor'))
  await page.keyboard.type(address)
  const row = page.getByRole('listitem').getByRole('link', { name: /Keyboard Visitor/ })
  await expect(page.getByRole('listitem').filter({ hasText: /@example\.org/ })).toHaveCount(1)
  await tabTo(page, row)
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Keyboard Visitor · Earshot')

  const opener = page.getByRole('button', { name: 'Erase' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type(address)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Erased' })).toBeVisible({ timeout: 20_000 })
  await tabTo(page, page.getByRole('link', { name: 'All visitors' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/visitors')
  await expect(page.getByText(address)).toHaveCount(0)
})

test('hostile names are text', async ({ page, project }) => {
  const id = `<img src=x onerror=alert(1)>/../${'w'.repeat(120)}?#%`
  await project.post({
    id: randomUUID(),
    type: 'bug',
    message: 'W'.repeat(400),
    name: '\u202eevil <script>alert(1)</script>',
    visitor: { id },
    page: { url: `https://${project.domain}/${'p'.repeat(300)}` },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/dashboard/visitors/${encodeURIComponent(id)}`)
  await expect(page.getByText(/<script>alert\(1\)/).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.goto('/dashboard/visitors')
  await expect(page.getByText(/<script>alert\(1\)/).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
})
