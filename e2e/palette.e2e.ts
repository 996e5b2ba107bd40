import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/** Opens the command palette by its keys and types. */
async function find(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill(words)
  return palette
}

test('the palette finds visitors, projects, members and settings', async ({ page, team }) => {
  // By names of their own: other tests have projects too.
  const project = await team.makeProject(`Chairs ${randomUUID().slice(0, 8)}`)
  const name = `Vera ${randomUUID().slice(0, 8)}`
  const email = `${randomUUID().slice(0, 8)}@example.org`
  await project.send({ message: 'The chairs wobble.', email, name })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await (await find(page, name)).getByRole('group', { name: 'Visitors' }).getByRole('option', { name }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()

  await (await find(page, project.name)).getByRole('group', { name: 'Projects' }).getByRole('option').first().click()
  await expect(page).toHaveURL(new RegExp(`/dashboard/projects/${project.id}$`))

  const { fullName } = team.person
  const palette = await find(page, fullName)
  await expect(palette.getByRole('group', { name: 'Members' }).getByRole('option', { name: fullName })).toBeVisible()
  await expectGoodLooks(page)
  await palette.getByRole('group', { name: 'Members' }).getByRole('option', { name: fullName }).click()
  await expect(page).toHaveURL(/\/dashboard\/feedback\?assignee=/)

  await (await find(page, 'storage')).getByRole('option', { name: 'Storage', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/settings\/storage$/)
})

test('the palette starts a project and changes the theme', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const palette = await find(page, 'dark')
  await palette.getByRole('group', { name: 'Theme' }).getByRole('option', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await (await find(page, 'theme system')).getByRole('option', { name: 'System', exact: true }).click()
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  await find(page, 'new project')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/projects\/new$/)
})
