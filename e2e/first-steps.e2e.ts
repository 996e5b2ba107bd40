import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { createTeam, test } from './team.ts'

test('first steps: one next action, put off and taken up again, gone when done', async ({ browser }) => {
  const team = await createTeam(browser)
  const page = await (await browser.newContext({ storageState: team.storageState })).newPage()
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Getting started' })
  const next = steps.locator('[aria-current="step"]')
  await expect(steps).toContainText('0 of 5 done')
  await expect(next.getByRole('link', { name: 'Create project' })).toBeVisible()
  await expectGoodLooks(page)

  // Put off, for this person in this organisation.
  await steps.getByRole('button', { name: 'Do later' }).click()
  await expect(page.getByText('No feedback yet')).toBeVisible()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('No feedback yet')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Show first steps' }).click()
  await expect(steps).toBeVisible()

  // Empty screens name the next step as well.
  await page.goto('/dashboard/analytics')
  await expect(page.getByText('No data yet')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create a project' })).toBeVisible()
  await expectGoodLooks(page)
  const project = await team.makeProject('Northwind')
  await page.goto(`/dashboard/projects/${project.id}/analytics`)
  const install = page.getByRole('link', { name: 'Install the widget' })
  await expect(install).toHaveAttribute('href', `/dashboard/projects/${project.id}?install=1`)
  await page.goto('/dashboard/visitors?q=unheard')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page).toHaveURL('/dashboard/visitors')
  await expect(page.getByText('No visitors yet')).toBeVisible()
  await expect(install).toBeVisible()
  await expectGoodLooks(page)
  await page.goto('/dashboard')
  await expect(next.getByRole('link', { name: 'Show code' })).toHaveAttribute(
    'href',
    `/dashboard/projects/${project.id}?install=1`,
  )
  await project.send('The first of many')
  await expect(steps).toContainText('3 of 5 done')
  await expect(steps.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3')
  await expectGoodLooks(page)

  await next.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByLabel('Email addresses').fill('grace')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog.getByText('Line 1: grace is not an email address.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog.getByLabel('Email addresses').fill('grace@example.com')
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Invitation sent', { exact: true })).toBeVisible()

  // No one listens at the address: that is for the first delivery to find.
  await next.getByRole('link', { name: 'Connect' }).click()
  await page.getByRole('link', { name: 'Connect Webhook' }).click()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/')
  await page.getByRole('button', { name: 'Connect Webhook' }).click()
  await expect(page.getByText('Copy the secret now.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('The first of many').first()).toBeVisible()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('The first of many').first()).toBeVisible()
  await expect(steps).toHaveCount(0)
  await page.context().close()
})
