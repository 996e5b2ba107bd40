import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './team.ts'

test('after the trial, an item is locked and says so; a plan unlocks it', async ({ page, project }) => {
  const owned = 'id = (select organization_id from projects where id = $1)'
  await changeRows(`update organizations set trial_ends_at = now() - interval '1 hour' where ${owned}`, [project.id])
  try {
    await project.send({ message: 'The drawer sticks', rating: 2, email: 'grace@example.org' })
    await page.goto(project.inbox)
    await expect(
      page.getByRole('status').filter({ hasText: 'Your trial has ended. New feedback is locked.' }),
    ).toBeVisible()
    const row = page.locator('a[data-item-id]').first()
    await expect(row).toContainText('Locked')
    await row.click()
    const item = page.getByRole('region', { name: 'Item' })
    await expect(item.getByText('Locked. Choose a plan to read it.')).toBeVisible()
    await expect(page.getByText('The drawer sticks')).toHaveCount(0)
    await expect(item.getByRole('definition').filter({ hasText: /^Locked$/ })).toHaveCount(2)
    await expect(item.getByText('Anonymous')).toHaveCount(0)
    await expectGoodLooks(page)
    await changeRows(
      `update organizations set subscription_status = 'active', subscription_plan_id = (select id from plans where key = 'starter')
       where ${owned}`,
      [project.id],
    )
    // Without a reload: the team reads it as soon as it is paid for.
    await expect(row).toContainText('The drawer sticks')
    await expect(item.getByText('The drawer sticks')).toBeVisible()
    await expect(item.getByRole('link', { name: 'grace@example.org' })).toBeVisible()
  } finally {
    await changeRows(
      `update organizations set subscription_status = 'trialing', subscription_plan_id = null,
         trial_ends_at = now() + interval '14 days' where ${owned}`,
      [project.id],
    )
  }
})
