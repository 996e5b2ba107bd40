import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const statuses = ['open', 'in_progress', 'resolved', 'closed']
const priorities = ['low', 'medium', 'high', 'urgent']

test('twenty items are worked through without a mouse', async ({ page, project, team }) => {
  // Sixty menus, one after the other.
  test.setTimeout(150_000)
  for (let number = 1; number <= 20; number += 1) await project.send(`Chair number ${number}`)
  await page.goto(project.inbox)
  await expect(page.getByRole('link', { name: /Chair number 20\b/ })).toBeVisible()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const item = page.getByRole('region', { name: 'Item', exact: true })
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

  // In the list: one more chosen with every Shift+K, all of them assigned and tagged together, then archived.
  await page.keyboard.press('x')
  for (let count = 0; count < 9; count += 1) await page.keyboard.press('Shift+K')
  await expect(page.getByRole('region', { name: 'Selected items' })).toContainText('10')
  await page.keyboard.press('a')
  await page.getByRole('combobox', { name: 'Assignee' }).fill(team.person.fullName)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`10 items: assigned to ${team.person.fullName}`).first()).toBeVisible()
  await page.keyboard.press('t')
  await page.getByRole('combobox', { name: 'Tags' }).fill('wobbly')
  await page.keyboard.press('Enter')
  await expect(page.getByText('10 items: tagged wobbly').first()).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByText('10 items: archived').first()).toBeVisible()
  await expect.poll(async () => (await project.listItems()).length).toBe(10)
  const archived = await project.listItems('archived')
  expect(archived.map(({ tags, assigneeId }) => [tags.join(), assigneeId === null])).toEqual(
    Array.from({ length: 10 }, () => ['wobbly', false]),
  )

  // The rest one by one: each gives its place to the next.
  await page.keyboard.press('j')
  for (let count = 10; count > 7; count -= 1) {
    await expect(page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')).toHaveCount(count)
    await page.keyboard.press('e')
  }
  await expect.poll(async () => (await project.listItems('archived')).length).toBe(13)
})

test('every location has its key, and Escape leads one step back', async ({ page, project }) => {
  await project.send('The red chair')
  await project.send('The blue chair')
  await page.goto(project.inbox)
  await expect(page.getByRole('link', { name: /The blue chair/ })).toBeVisible()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Move to trash')
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()

  // In the search field letters are letters.
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search feedback' })
  await expect(search).toBeFocused()
  await page.keyboard.type('red sp')
  await expect(page.getByText('No results')).toBeVisible()
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
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toContainText('The red chair')
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toBeHidden()
})

test('the palette and the keys of the app lead everywhere, and single keys can be switched off', async ({
  page,
  project,
}) => {
  await project.send('The green chair')
  await page.goto('/dashboard/projects')
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  // Perhaps with the first unread item.
  await expect(page).toHaveURL(/\/dashboard\/feedback/)
  await expect(page.getByRole('link', { name: /The green chair/ })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL('/dashboard/projects')
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await expect(page).toHaveURL('/dashboard/visitors')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByText('Go to visitors')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()

  // Every screen stands in the sidebar, in the palette and in the help.
  const screens = ['Dashboard', 'Projects', 'Feedback', 'Analytics', 'Visitors']
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toContainText(screens)
  await page.keyboard.press('Control+k')
  for (const name of [...screens, 'Settings']) {
    await expect(page.getByRole('option', { name, exact: true })).toBeVisible()
  }
  await page.keyboard.press('Escape')

  // An item by its words.
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Search or run a command' })
  await palette.fill('green chair')
  await page.getByRole('option', { name: '#1 The green chair' }).first().waitFor()
  await expectGoodLooks(page)
  await page.getByRole('option', { name: '#1 The green chair' }).first().click()
  const item = page.getByRole('region', { name: 'Item', exact: true })
  await expect(item).toContainText('The green chair')

  // What can be done with it.
  await page.keyboard.press('Control+k')
  await palette.fill('status resolved')
  await page.keyboard.press('Enter')
  await expect(item.getByRole('button', { name: /^Status:/ })).toHaveText('Status:Resolved')

  await page.keyboard.press('?')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(item).toBeHidden()
  await expect(page).toHaveURL('/dashboard/feedback')
  await page.reload()
  await page.getByRole('navigation', { name: 'Locations' }).getByRole('link').first().focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Shortcuts' }).click()
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL('/dashboard')
})
