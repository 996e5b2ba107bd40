import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { createTeam, test } from './team.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')

test('filters stand in the address: they survive a reload, go back and forward, and clear', async ({
  page,
  project,
}) => {
  await project.send('A wobbly chair')
  await project.send({ message: 'A taller chair, please', type: 'idea' })
  const openId = await project.send('A chair that is known to wobble')
  await project.changeItem(openId, { status: 'open', priority: 'high' })
  const resolvedId = await project.send('A chair that was mended')
  await project.changeItem(resolvedId, { status: 'resolved' })
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(4)

  // By what, then which values; the list follows at once.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'New' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('option', { name: 'Open' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  // Or by keyboard, with the value's name at once.
  await page.locator('body').press('f')
  await page.getByRole('combobox', { name: 'Filter by' }).fill('bug')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(2)
  const address = `/dashboard/feedback?status=new&status=open&type=bug&project=${project.id}`
  await expect(page).toHaveURL(address)

  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Status: New, Open' })).toBeVisible()
  await page.goBack()
  await expect(rows(page)).toHaveCount(3)
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await page.goForward()
  await page.goForward()
  await expect(page).toHaveURL(address)
  await expect(rows(page)).toHaveCount(2)

  await page.getByRole('searchbox').fill('KNOWN wobb')
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(`${address}&q=KNOWN+wobb`)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('KNOWN wobb')
  await expect(rows(page)).toHaveCount(1)

  await page.getByRole('searchbox').fill('wardrobe')
  await expect(page.getByText('No results')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/dashboard/feedback')
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(rows(page).first()).toBeVisible()

  await page.goto(`${project.inbox}&priority=high`)
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove the filter Priority' }).click()
  await expect(page).toHaveURL(project.inbox)
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Sort: Newest first' }).click()
  await page.getByRole('menuitemradio', { name: 'Highest priority' }).click()
  await expect(page).toHaveURL(`${project.inbox}&sort=priority`)
  await expect(rows(page).first()).toContainText('known to wobble')
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).toHaveURL('/dashboard/feedback?sort=priority&stage=all')
  await page.goto(`${project.inbox}&sort=priority`)
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('menuitem', { name: 'All feedback' }).click()
  await expect(page).toHaveURL('/dashboard/feedback?stage=all')
})

test('a link leads to an item, also outside the filters; Back leads to the list', async ({ page, project }) => {
  const id = await project.send({ message: 'Linked from a chat', rating: 2, email: 'visitor@example.org' })
  await page.goto(`${project.inbox}&status=resolved&item=${id}`)
  const item = page.getByRole('region', { name: 'Item', exact: true })
  await expect(item).toContainText('Linked from a chat')
  await expect(item.getByRole('img', { name: '2 of 5' })).toBeVisible()
  await expect(item.getByRole('link', { name: 'visitor@example.org' })).toBeVisible()
  await expectGoodLooks(page)

  await page.goto(`${project.inbox}&item=01900000-0000-7000-8000-000000000000`)
  await expect(page.getByText('Item not found')).toBeVisible()
  await expectGoodLooks(page)
  await item.getByRole('button', { name: 'Back to the list' }).last().click()
  await expect(page).toHaveURL(project.inbox)

  await rows(page).first().getByRole('link').click()
  await expect(page).toHaveURL(`${project.inbox}&item=${id}`)
  await page.goBack()
  await expect(page).toHaveURL(project.inbox)
  await expect(item).toBeHidden()
})

test.describe('an inbox without anything to show', () => {
  test('says what is missing to a new organisation', async ({ browser }) => {
    const team = await createTeam(browser)
    const context = await browser.newContext({ storageState: team.storageState })
    const page = await context.newPage()
    await page.goto('/dashboard/feedback')
    await expect(page.getByText('No feedback yet')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create a project' })).toBeVisible()
    await expectGoodLooks(page)

    await team.makeProject('Northwind')
    await page.reload()
    await page.getByRole('link', { name: 'Install the widget' }).click()
    await expect(page.getByRole('dialog')).toContainText('Waiting for the widget to load on your site…')
    await context.close()
  })

  test('says so when it could not be loaded, and loads when asked again', async ({ page, project }) => {
    await project.send('Here all the time')
    const list = '**/api/v1/organizations/*/feedback?*'
    await page.route(list, (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'permission_denied', title: 'No.', status: 403, requestId: 'x' }),
      }),
    )
    await page.goto(project.inbox)
    await expect(page.getByText('Couldn’t load feedback')).toBeVisible()
    await expectGoodLooks(page)
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page)).toHaveCount(1)
  })
})
