import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const statuses = ['open', 'in_progress', 'resolved', 'closed']
const priorities = ['low', 'medium', 'high', 'urgent']

test('twenty items are worked through without a mouse', async ({ page, project }) => {
  for (let number = 1; number <= 20; number += 1) await project.send(`Chair number ${number}`)
  await page.goto(project.inbox)
  await expect(page.getByRole('link', { name: /Chair number 20\b/ })).toBeVisible()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const item = page.getByRole('region', { name: 'Item' })
  const menu = page.getByRole('menu')
  for (let number = 20; number >= 1; number -= 1) {
    await expect(item.getByRole('heading', { name: `Bug #${number}`, exact: true })).toBeVisible()
    await page.keyboard.press('s')
    await expect(menu).toBeVisible()
    await page.keyboard.press(String(2 + (number % 4)))
    await expect(menu).toBeHidden()
    await page.keyboard.press('p')
    await expect(menu).toBeVisible()
    await page.keyboard.press(String(2 + (number % 4)))
    await expect(menu).toBeHidden()
    await page.keyboard.press('j')
  }
  // There is nothing after the last one, and back is k.
  await page.keyboard.press('k')
  await expect(item.getByRole('heading', { name: 'Bug #2', exact: true })).toBeVisible()

  const readItems = async () => (await project.listItems()).map(({ status, priority }) => `${status} ${priority}`)
  const wanted = Array.from({ length: 20 }, (_, index) => (20 - index) % 4)
  await expect.poll(readItems).toEqual(wanted.map((choice) => `${statuses[choice]} ${priorities[choice]}`))

  await page.keyboard.press('Escape')
  await expect(item).toBeHidden()
  await expect(page.getByRole('link', { name: /Chair number 2\b/ })).toBeFocused()
})

test('every place has its key, and Escape leads one step back', async ({ page, project }) => {
  await project.send('The red chair')
  await project.send('The blue chair')
  await page.goto(project.inbox)
  await expect(page.getByRole('link', { name: /The blue chair/ })).toBeVisible()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Change priority')
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()

  // In the search field letters are letters.
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search feedback' })
  await expect(search).toBeFocused()
  await page.keyboard.type('red sp')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Backspace')
  await expect(page.getByRole('link', { name: /The red chair/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /The blue chair/ })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(search).not.toBeFocused()

  // In the list itself: a menu in the row, without opening the item.
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await expect(page.getByRole('menuitemradio', { name: 'New' })).toBeChecked()
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('o')
  await expect(page.getByRole('region', { name: 'Item' })).toContainText('The red chair')
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page.getByRole('region', { name: 'Item' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Item' })).toBeHidden()
})
