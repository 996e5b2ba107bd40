import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, state: RegExp) => page.getByRole('listitem').filter({ hasText: state })

/** What the API answers to a key. */
async function readProject(page: Page, key: string): Promise<number> {
  const reply = await page.request.get('/api/v1/project', { headers: { authorization: `Bearer ${key}` } })
  return reply.status()
}

test('an API key is created, shown once, used, regenerated with an overlap and revoked', async ({ page, project }) => {
  await page.goto(`/dashboard/projects/${project.id}`)
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'API keys' }).click()
  await expect(page.getByText('No API keys yet')).toBeVisible()
  await expectGoodLooks(page)

  await page.getByRole('button', { name: 'New API key' }).click()
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Enter a name.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog(page).getByLabel('Name').fill('Nightly import')
  await dialog(page).getByLabel('Expires').selectOption('In 90 days')
  await dialog(page).getByRole('button', { name: 'Create API key' }).click()
  await expect(dialog(page).getByText('You can’t see it again.')).toBeVisible()
  await expectGoodLooks(page)
  const key = (await dialog(page).getByRole('region', { name: 'API key Nightly import' }).textContent()) ?? ''
  expect(key).toMatch(/^es_\w{36}$/)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(row(page, /Never used/)).toContainText('Read and write')
  expect(await readProject(page, key)).toBe(200)
  await expect(async () => {
    await page.reload()
    await expect(row(page, /Last used just now from/)).toBeVisible({ timeout: 1000 })
  }).toPass()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Regenerate Nightly import' }).click()
  await dialog(page).getByLabel('Present key').selectOption('Works for 24 hours')
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Regenerate API key' }).click()
  const next = (await dialog(page).getByRole('region', { name: 'API key Nightly import' }).textContent()) ?? ''
  await page.keyboard.press('Escape')
  expect([await readProject(page, key), await readProject(page, next)]).toEqual([200, 200])
  await expect(row(page, /Replaced/)).toContainText('Works until')

  await row(page, /Replaced/)
    .getByRole('button', { name: 'Revoke Nightly import' })
    .click()
  await expectGoodLooks(page)
  await dialog(page).getByRole('button', { name: 'Revoke API key' }).click()
  await expect(row(page, /Revoked/)).toContainText('Revoked just now')
  expect([await readProject(page, key), await readProject(page, next)]).toEqual([401, 200])
  await expectGoodLooks(page)
})
