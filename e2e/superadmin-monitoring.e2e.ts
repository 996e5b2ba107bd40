import { readFile } from 'node:fs/promises'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

/** As graphile-worker leaves a job after its last attempt. Of a name that no worker takes. */
async function addFailedJob(name: string): Promise<void> {
  await changeRows(`select graphile_worker.add_job($1, max_attempts => 1)`, [name])
  await changeRows(
    `update graphile_worker._private_jobs set attempts = 1, last_error = 'the printer is on fire'
     where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
    [name],
  )
}

test('a superadmin sees the health of the instance, what the doctor found and 14 days of figures', async ({ page }) => {
  await changeRows(
    `insert into app.instance_minutes
     select date_trunc('minute', now()) - n * interval '7 minutes', 2e8 + n * 1e5, 10, 0, n % 40, n % 90, 0, 2, 0, 0, 1
     from generate_series(1, 2800) as n on conflict do nothing`,
    [],
  )
  await changeRows(
    `insert into app.monitored_processes values
       ('00000000-0000-7000-8000-0000000000e2', 'web,worker', 'machine-a', 4711, '1.0.0', '24.1.0', now() - interval '3 days')
     on conflict (id) do update set last_seen_at = now()`,
    [],
  )
  await changeRows(
    `insert into app.process_minutes
     select date_trunc('minute', now()) - n * interval '7 minutes', '00000000-0000-7000-8000-0000000000e2',
       20 + 15 * sin(n / 40.0), 10 + n % 30, 2e8, 60 from generate_series(0, 2800) as n on conflict do nothing`,
    [],
  )
  await page.goto('/dashboard/superadmin/monitoring')
  await expect(page).toHaveTitle('Monitoring · Earshot')
  const figures = page.getByRole('list', { name: 'Current figures' })
  await expect(figures.getByRole('listitem').filter({ hasText: 'CPU' })).toContainText('%')
  await expect(page.getByRole('list', { name: 'Processes' })).toContainText('machine-a (4711)')

  const doctor = page.getByRole('region', { name: 'Doctor' })
  await expect(doctor.getByRole('list', { name: 'Problems' })).toContainText('What to do: Set BACKUP_EVERY_HOURS')
  await doctor.getByRole('button', { name: /^Show \d+ checks without a problem$/ }).click()
  await expect(doctor.getByRole('list', { name: 'Checks without a problem' })).toContainText('Row-level security')
  await expectGoodLooks(page)

  const checked = page.waitForResponse((response) => response.url().endsWith('/superadmin/monitoring/doctor'))
  await doctor.getByRole('button', { name: 'Check again' }).click()
  expect((await checked).status()).toBe(200)

  const history = page.getByRole('region', { name: 'History' })
  await history.getByLabel('Figure').selectOption('Database size')
  await expect(history.getByRole('slider', { name: /^Database size/ })).toBeVisible()
  await history.getByRole('radio', { name: '24 hours' }).click()
  await expect(history.getByText('The worst value of each 5 minutes.')).toBeVisible()
  await history.getByRole('button', { name: 'Database size: show as table' }).click()
  await expect(history.getByRole('table')).toContainText('MiB')
})

test('a superadmin finds a failed job, retries it, retries all, deletes one and exports them', async ({ page }) => {
  const name = `e2e_${Date.now()}`
  for (const part of ['one', 'two', 'three']) await addFailedJob(`${name}_${part}`)
  await page.goto('/dashboard/superadmin/monitoring')
  const jobs = page.getByRole('list', { name: 'Failed jobs' }).getByRole('listitem')
  await expect(jobs.filter({ hasText: `${name}_one` })).toContainText('the printer is on fire')
  await page.getByRole('searchbox', { name: 'Search failed jobs' }).fill(name)
  await expect(jobs).toHaveCount(3)
  await expectGoodLooks(page)

  const downloading = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Failed jobs' }).getByRole('button', { name: 'Export CSV' }).click()
  expect((await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')).toHaveLength(4)

  await jobs
    .filter({ hasText: `${name}_one` })
    .getByRole('button', { name: /^Retry/ })
    .click()
  await expect(jobs).toHaveCount(2)
  await jobs
    .filter({ hasText: `${name}_two` })
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expectGoodLooks(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click()
  await expect(jobs).toHaveCount(1)
  await page.getByRole('button', { name: 'Retry all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry jobs' }).click()
  await expect(page.getByText('No failed job matches this search.')).toBeVisible()

  await page.goto('/dashboard/superadmin/audit')
  await expect(page.getByText(`retried the failed job ${name}_one`)).toBeVisible()
  await expect(page.getByText(`deleted the failed job ${name}_two`)).toBeVisible()
})

test('a superadmin changes a threshold and resets it', async ({ page }) => {
  await page.goto('/dashboard/superadmin/monitoring')
  const row = page
    .getByRole('list', { name: 'Thresholds' })
    .getByRole('listitem')
    .filter({ hasText: /^Memory/ })
  await row.getByRole('button', { name: 'Edit threshold: Memory' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Alert above').fill('much')
  await dialog.getByRole('button', { name: 'Save threshold' }).click()
  await expect(dialog.getByText('Enter a number, for example 10.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog.getByLabel('Alert above').fill('1.5')
  await dialog.getByLabel('Minutes').fill('7')
  await dialog.getByRole('button', { name: 'Save threshold' }).click()
  await expect(row).toContainText(/Changed.*Above 1\.5 GiB for 7 minutes/s)
  await row.getByRole('button', { name: 'Edit threshold: Memory' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click()
  await expect(row).toContainText('Above 2 GiB for 10 minutes')
})
