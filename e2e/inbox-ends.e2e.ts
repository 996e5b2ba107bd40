import type { Page } from '@playwright/test'
import { signOut } from './auth/people.ts'
import { holdRequests } from './hold.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { removeMember } from './remove-member.ts'
import { test } from './team.ts'

/* Access ends during work: the screen says so at once, and unsent drafts can be copied. */

const openItem = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })

test('a project is deleted while its item is open: it says so by itself, and hands the unsent reply back', async ({
  page,
  project,
  team,
}) => {
  const other = await team.makeProject('Southwind')
  const kept = await other.send('Of another project')
  const id = await project.send({ message: 'The fifth chair', email: 'vera@example.org' })
  await page.goto(`/dashboard/feedback?item=${id}`)
  const item = openItem(page)
  await item.getByRole('button', { name: 'Reply', exact: true }).click()
  await item.getByRole('textbox', { name: 'Reply', exact: true }).fill('A long answer,\nalmost done')
  await project.remove()
  await expect(item.getByText('Item not found')).toBeVisible({ timeout: 3000 })
  await expect(item.getByText('or it belongs to another organisation')).toBeVisible()
  await expect(item.getByRole('region', { name: 'Not sent' })).toContainText('Reply in #1')
  await expect(item.getByRole('region', { name: 'Not sent' })).toContainText('A long answer,')
  const rows = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'The fifth chair' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Of another project' })).toBeVisible()
  await expectGoodLooks(page)
  await item.getByRole('button', { name: 'Back to the list' }).click()
  await rows.filter({ hasText: 'Of another project' }).getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(kept))
})

test('a member is removed in the middle of their work: every tab says so and keeps what they were writing', async ({
  project,
  team,
}) => {
  // A colleague has to join first.
  test.setTimeout(120_000)
  const email = `leaver-${project.id.slice(-8)}@example.com`
  const first = await team.openColleague('Linus Pauling', email)
  const context = first.context()
  const ids = [await project.send({ message: 'One', email: 'vera@example.org' }), await project.send('Two')]
  const [second, third] = [await context.newPage(), await context.newPage()]
  await first.goto(`${project.inbox}&item=${ids[0]}`)
  await openItem(first).getByRole('button', { name: 'Reply', exact: true }).click()
  await openItem(first).getByRole('textbox', { name: 'Reply', exact: true }).fill('Dear Vera,\nwe are')
  await first.getByRole('link', { name: /Two/ }).click()
  await openItem(first).getByRole('textbox', { name: 'Note' }).fill('Ask the carpenter')
  await second.goto(`${project.inbox}&item=${ids[1]}`)
  await openItem(second).getByRole('textbox', { name: 'Note' }).fill('In another tab')
  await third.goto('/dashboard/projects')
  await expect(third.getByText(project.name).first()).toBeVisible()

  await removeMember(email)
  for (const tab of [first, second, third]) {
    await expect(tab.getByRole('heading', { name: `You can no longer open ${team.organizationName}` })).toBeVisible({
      timeout: 5000,
    })
    await expect(tab.getByText(project.name)).toHaveCount(0)
  }
  const unsent = first.getByRole('region', { name: 'Not sent' })
  await expect(unsent).toContainText('Reply in #1')
  await expect(unsent).toContainText('Dear Vera,')
  await expect(unsent).toContainText('Note in #2')
  await expect(unsent).toContainText('Ask the carpenter')
  await expect(second.getByRole('region', { name: 'Not sent' })).toContainText('In another tab')
  await expect(third.getByRole('region', { name: 'Not sent' })).toHaveCount(0)
  await expectGoodLooks(first)
  // There is no other organisation to go to.
  await expect(second.getByRole('link', { name: 'Go to' })).toHaveCount(0)
  await second.goto('/dashboard')
  await expect(second.getByText('No organization found. Please contact support.')).toBeVisible()
  await context.close()
})

test('a session ends in the middle of a note: it is there after a reload, and after signing in again', async ({
  project,
  team,
}) => {
  test.setTimeout(120_000)
  const email = `returner-${project.id.slice(-8)}@example.com`
  const page = await team.openColleague('Emmy Noether', email)
  const id = await project.send({ message: 'One', email: 'vera@example.org' })
  const address = `${project.inbox}&item=${id}`
  await page.goto(address)
  const item = openItem(page)
  await item.getByRole('button', { name: 'Reply', exact: true }).click()
  await item.getByRole('textbox', { name: 'Reply', exact: true }).fill('Dear Vera,\nwe are')
  await page.reload()
  await expect(item.getByRole('textbox', { name: 'Reply', exact: true })).toHaveValue('Dear Vera,\nwe are')

  await item.getByRole('textbox', { name: 'Reply', exact: true }).fill('Dear Vera,\nwe are sorry')
  // The tab becomes visible and checks the session; the answer is late.
  const question = await holdRequests(page, '**/auth/v1/user', { times: 1 })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await question.came
  await team.endSessions(email)
  // Nothing to press any more where the page has noticed by itself.
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(team.person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(address)
  const came = page.waitForResponse('**/auth/v1/user')
  question.release()
  await (await came).finished()
  // Time to be shown out, if one were.
  await page.waitForTimeout(300)
  await expect(item.getByRole('textbox', { name: 'Reply', exact: true })).toHaveValue('Dear Vera,\nwe are sorry')
  await item.getByRole('button', { name: 'Send reply' }).click()
  await expect(item.getByRole('list', { name: 'Messages' })).toContainText('we are sorry')
  await expect(item.getByRole('textbox', { name: 'Note' })).toHaveValue('')

  // Who leaves on purpose leaves nothing behind.
  await item.getByRole('textbox', { name: 'Note' }).fill('Ask the carpenter')
  await page.goto('/dashboard')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('Ask the carpenter')
  await signOut(page)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('carpenter')
  await page.context().close()
})
