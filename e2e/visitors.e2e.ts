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
  for (const sum of ['2 items', 'Last rating: 2 of 5', '2 unanswered']) await expect(row).toContainText(sum)
  const headings = page.getByRole('group', { name: 'Sort visitors' })
  await headings.getByRole('button', { name: 'Items' }).click()
  await expect(page).toHaveURL(/\?q=grace.*&sort=items/)
  await expect(headings.getByRole('button', { name: 'Items' })).toHaveAttribute('aria-pressed', 'true')
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

test('two visitors are merged after a preview, and separated again', async ({ page, project }) => {
  const tag = randomUUID().slice(0, 8)
  const [work, home] = [`ada.work.${tag}@example.org`, `ada.home.${tag}@example.org`]
  await project.send({ message: 'Sent from work.', email: work, name: `Ada Work ${tag}` })
  await project.send({ message: 'Sent from home.', email: home })
  await page.goto(`/dashboard/visitors/${encodeURIComponent(work)}`)
  await page.getByRole('button', { name: 'Merge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge another visitor' })
  const search = dialog.getByLabel('Visitor to merge')
  const found = dialog.getByRole('list', { name: 'Visitors' }).getByRole('button', { name: new RegExp(home) })
  // Visitors are listed a moment after their first item.
  await expect(async () => {
    await search.fill('')
    await search.fill(home)
    await expect(found).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expectGoodLooks(page)
  await found.click()
  await expect(dialog.getByRole('region', { name: 'Merged' })).toContainText(home)
  await expect(dialog.getByRole('region', { name: 'Kept' })).toContainText(`Ada Work ${tag}`)
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Merge visitors' }).click()
  await expect(page.getByText('Visitors merged', { exact: true })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Sent from home.' })).toBeVisible()
  const merged = page.getByRole('list', { name: 'Merged visitors' })
  await expect(merged).toContainText(home)
  await expectGoodLooks(page)
  // Any address of the person filters the inbox for all of them.
  const inbox = await page.context().newPage()
  await inbox.goto(`/dashboard/feedback?visitor=${encodeURIComponent(home)}`)
  for (const words of ['Sent from work.', 'Sent from home.']) await expect(inbox.getByText(words).first()).toBeVisible()
  await inbox.close()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Merge undone', { exact: true })).toBeVisible()
  await expect(merged).toHaveCount(0)
  await expect(page.getByText('Sent from home.')).toHaveCount(0)
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

test('erasing an ID keeps items from an email that its items claim', async ({ page, project }) => {
  const tag = randomUUID().slice(0, 8)
  const [id, address] = [`shop-${tag}`, `victim.${tag}@example.org`]
  const kept = await project.send({ message: 'Signed out.', email: address })
  await project.send({ message: 'I typed that email.', visitor: { id }, email: address })
  await page.goto(`/dashboard/visitors/${id}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Signed out.' })).toBeVisible()
  await page.getByRole('button', { name: 'Erase' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 item, with notes, replies and history')
  await expect(dialog).toContainText(
    '1 item without an ID, from an email used here, is kept. To delete it, erase that email.',
  )
  await expectGoodLooks(page)
  await dialog.getByRole('textbox').fill(id)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Erased' })).toBeVisible({ timeout: 20_000 })
  expect((await project.listItems()).map((item) => item.id)).toEqual([kept])
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
    guard: { elapsedMs: 20_000 },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/dashboard/visitors/${encodeURIComponent(id)}`)
  await expect(page.getByText(/<script>alert\(1\)/).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.goto('/dashboard/visitors')
  await expect(page.getByText(/<script>alert\(1\)/).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
})
