import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/** A team of its own: its plan is changed. */
const test = teamTest.extend<object, { team: Team }>({
  team: [async ({ browser }, use) => use(await createTeam(browser)), { scope: 'worker' }],
})

test('an owner sees the trial, the plan, and how much of it is used', async ({ page, project, team }) => {
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Billing' }).click()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText(/Trial.*Every feature is available until/s)
  await expect(page.getByRole('region', { name: 'Use' })).toContainText('Projects1')
  await expectGoodLooks(page)

  const setPlan = (status: string, endsIn: string) =>
    changeRows(
      `update organizations set subscription_status = $2, trial_ends_at = now() + $3::interval,
         subscription_plan_id = (select id from plans where key = 'starter')
       where id = (select organization_id from projects where id = $1)`,
      [project.id, status, endsIn],
    )
  await setPlan('active', '1 day')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Starter')
  await expect(page.getByRole('meter', { name: 'Projects' })).toHaveAttribute('aria-valuetext', '1 of 3')
  await expect(page.getByRole('meter', { name: 'Items this month' })).toHaveAttribute('aria-valuetext', /^\d+ of 500$/)
  await expectGoodLooks(page)

  await setPlan('trialing', '-1 day')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Your trial has ended.')
  await expect(page.getByRole('status').filter({ hasText: 'New feedback is locked.' })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('region', { name: 'Plan' }).getByRole('link', { name: 'Choose a plan' }).click()
  await expect(page.getByText('Your trial has ended. Choose a plan to unlock your feedback.')).toBeVisible()
  await expect(page.getByText('$129')).toBeVisible()
  await expectGoodLooks(page)
  await setPlan('trialing', '14 days')

  const colleague = await team.openColleague('Ada Lovelace')
  await colleague.goto('/dashboard/settings')
  await expect(colleague.getByRole('link', { name: 'Storage' })).toBeVisible()
  await expect(colleague.getByRole('link', { name: 'Billing' })).toBeHidden()
  await colleague.goto('/dashboard/settings/billing')
  await expect(colleague.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
