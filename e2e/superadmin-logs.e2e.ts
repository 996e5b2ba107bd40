import { readFile } from 'node:fs/promises'
import { readLine } from '#server/features/logs/read-line.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

/** Stores lines as a process would. */
async function store(message: string, count: number, level = 30, requestId: string | null = null): Promise<void> {
  await changeRows(
    `select app.store_log_lines('elsewhere:7', array_agg(now() - (n || ' ms')::interval), array_agg($3::smallint), array_agg($4::text),
       array_agg($1 || ' ' || n), array_agg('{"durationMs":12,"err":{"stack":"Error: broken"}}'::text), array_agg('{}'::text), '{}')
     from generate_series(1, $2::integer) n`,
    [message, count, level, requestId],
  )
}

/** Stores the line of a failed request as a process does, so that it is found by its words. */
async function storeFailure(requestId: string): Promise<void> {
  const line = readLine(
    JSON.stringify({ level: 'error', msg: 'request failed: page_failed', requestId }),
    '',
    Date.now(),
  )
  await changeRows(
    `select app.store_log_lines('elsewhere:7', array[now()], array[50::smallint], array[$1], array[$2], array['{}'], array[$3], '{}')`,
    [requestId, line.message, `{${line.tokens}}`],
  )
}

test('a superadmin searches the log, opens a line, follows new ones and exports', async ({ page, complaints }) => {
  // A word without letters is found by reading, as these lines have no tokens.
  const mark = `§${Date.now()}§`
  const requestId = crypto.randomUUID()
  await store(`disk ${mark}`, 3)
  await page.goto('/dashboard/superadmin/logs')
  await expect(page).toHaveTitle('Logs · Earshot')
  const list = page.getByRole('region', { name: 'Log lines' })
  await expect(list.getByText(`disk ${mark} 1`)).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expectGoodLooks(page)

  await store(`arrives ${mark}`, 1, 50, requestId)
  await expect(list.getByText(`arrives ${mark} 1`)).toBeVisible()
  await list.getByRole('button', { name: `Filter by request ${requestId}` }).click()
  await expect(page).toHaveURL(new RegExp(`request=${requestId}`))
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(list.getByText('Error: broken')).toBeVisible()
  await expectGoodLooks(page)
  await list.getByRole('button', { name: 'Show surrounding lines' }).click()
  await expect(list.getByText(`disk ${mark} 1`)).toBeVisible()

  await page.goto('/dashboard/superadmin/logs?level=fatal&q=zebra%20crossing')
  await expect(page.getByText('No log line matches these filters.')).toBeVisible()
  await page.goto(`/dashboard/superadmin/logs?request=${requestId}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await store(`later ${mark}`, 1, 50, requestId)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const exported = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n')
  expect(exported).toHaveLength(2)
  await expect(list.getByText(`later ${mark}`)).toHaveCount(0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(list.getByText(`later ${mark}`)).toBeVisible()
  expect(complaints).toEqual([])
})

test('10,000 lines stay a page of few elements', async ({ page }) => {
  const requestId = crypto.randomUUID()
  await store('one of many', 2_000, 30, requestId)
  await page.goto(`/dashboard/superadmin/logs?request=${requestId}`)
  const list = page.getByRole('region', { name: 'Log lines' })
  await expect(list.getByRole('listitem').first()).toBeVisible()
  for (let press = 0; press < 12; press++) {
    await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
    await page.waitForTimeout(50)
  }
  expect(await list.getByRole('listitem').count()).toBeLessThan(120)
})

test('an error shows its request ID, with a link to its lines', async ({ page }) => {
  const requestId = crypto.randomUUID()
  await page.route('**/api/v1/superadmin/users**', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'internal_error', title: 'Something went wrong', status: 500, requestId }),
    }),
  )
  await page.goto('/dashboard/superadmin/users')
  await expect(page.getByText(requestId)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('link', { name: 'Log lines' })).toHaveAttribute(
    'href',
    `/dashboard/superadmin/logs?request=${requestId}`,
  )
})

test('an error screen shows its request ID, which finds the lines when it is pasted into the log', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const requestId = crypto.randomUUID()
  await storeFailure(requestId)
  await page.route('**/elsewhere', (route) =>
    route.fulfill({ status: 503, body: 'Down', headers: { 'x-request-id': requestId } }),
  )
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Superadmin' })).toBeVisible()
  // Without a page load, as a link does.
  await page.evaluate(() => {
    history.pushState({}, '', '/elsewhere')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(page.getByText(requestId)).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Copy request ID' }).click()
  await page.goto('/dashboard/superadmin/logs')
  await page.getByRole('searchbox', { name: 'Search' }).focus()
  await page.keyboard.press('ControlOrMeta+v')
  const list = page.getByRole('region', { name: 'Log lines' })
  await expect(list.getByText('request failed: page_failed')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
})
