import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const item = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })
const reply = (page: Page) => item(page).getByRole('textbox', { name: 'Reply', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: /template/ })

test('a reply template is written, inserted with its placeholders filled in, changed, deleted and restored', async ({
  page,
  project,
}) => {
  const id = await project.send({ message: 'Where is my order?', email: 'vera@example.org', name: 'Vera' })
  await page.goto(`${project.inbox}&item=${id}`)
  await item(page).getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('option', { name: 'New template…' }).click()
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Save template' }).click()
  await expect(dialog(page).getByText('Enter a name.')).toBeVisible()
  await dialog(page).getByLabel('Name').fill('Thanks')
  await dialog(page).getByLabel('Text').fill('Dear ')
  await dialog(page).getByRole('button', { name: '{{visitor.name}}' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(', #{{item.number}} of {{project.name}} is order {{order.id}}. {{member.name}}')
  await dialog(page).getByRole('button', { name: 'Save template' }).click()
  await expect(dialog(page).getByRole('listitem')).toContainText('Thanks')
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')

  // By `/`: what cannot be filled in is shown, and sent only by a second press.
  await reply(page).pressSequentially('/')
  await page.getByRole('combobox', { name: 'Templates' }).fill('than')
  await expect(page.getByRole('option', { name: 'Thanks' })).toBeVisible()
  await expectGoodLooks(page)
  await page.keyboard.press('Enter')
  await expect(reply(page)).toHaveValue('Dear Vera, #1 of Northwind is order {{order.id}}. Grace Hopper')
  await expect(reply(page)).toBeFocused()
  await expect(item(page).getByText('Not filled in: {{order.id}}.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(item(page).getByRole('button', { name: 'Send anyway' })).toBeVisible()
  await expectGoodLooks(page)
  await reply(page).fill((await reply(page).inputValue()).replace('{{order.id}}', '4711'))
  await item(page).getByRole('button', { name: 'Send reply' }).click()
  await expect(item(page).getByRole('list', { name: 'Messages' })).toContainText('is order 4711. Grace Hopper')

  await item(page).getByRole('button', { name: 'Reply', exact: true }).click()
  await item(page).getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('option', { name: 'Manage templates…' }).click()
  await dialog(page).getByRole('button', { name: 'Edit Thanks' }).click()
  await dialog(page).getByLabel('Name').fill('Many thanks')
  await dialog(page).getByRole('button', { name: 'Save template' }).click()
  await expect(dialog(page).getByRole('listitem')).toContainText('Many thanks')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(dialog(page).getByRole('listitem')).toContainText(/^Thanks/)
  await dialog(page).getByRole('button', { name: 'Delete Thanks' }).click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(0)
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(dialog(page).getByRole('listitem')).toContainText('Thanks')
})
