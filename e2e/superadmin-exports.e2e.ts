import { readFile } from 'node:fs/promises'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { connectStripe } from './stripe.ts'
import { test } from './superadmin.ts'

/** Lists of one screen each, with what is in the file and what the audit log calls it. */
const lists = [
  { path: '/coupons?search=exp', file: 'coupons', name: 'Coupons', column: 'redemptions' },
  { path: '/plans', file: 'plans', name: 'Plans', column: 'monthly_cents' },
  { path: '/blog?order=oldest', file: 'blog-posts', name: 'Blog posts', column: 'slug' },
  { path: '/widget-test?order=latest', file: 'projects', name: 'Projects', column: 'widget_key' },
  {
    path: `/revenue/organizations?figure=trialsStarted&month=${new Date().toISOString().slice(0, 7)}&sort=name`,
    file: 'revenue-trials-started-\\d{4}-\\d\\d',
    name: 'Revenue: Trials started',
    column: 'organization_name',
  },
] as const

test('a superadmin downloads each list as it is shown, and the audit log says so', async ({ page, team }) => {
  const sdk = connectStripe()
  const code = `EXP-${Date.now()}`
  const { id: coupon } = await sdk.coupons.create({ percent_off: 20, duration: 'once' })
  await sdk.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code })
  await team.makeProject('Northwind')
  await changeRows(`insert into blog_posts (id, slug, title) values (gen_random_uuid(), $1, 'Exported')`, [
    code.toLowerCase(),
  ])
  for (const { path, file, column } of lists) {
    await page.goto(`/dashboard/superadmin${path}`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(new RegExp(`^${file}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(head?.split(',')).toContain(column)
    expect([path, rows.length > 0]).toEqual([path, true])
  }
  await page.goto('/dashboard/superadmin/audit')
  for (const { name } of lists)
    await expect(page.getByText(`downloaded the list ${name}`, { exact: false }).first()).toBeVisible()
  await page.getByLabel('Order').selectOption('Oldest first')
  await expect(page).toHaveURL(/order=oldest/)
})

test('a superadmin searches and sorts coupons, and the organisations of a figure of revenue', async ({
  page,
  team,
}) => {
  const sdk = connectStripe()
  const mark = `S${Date.now()}`
  const { id: coupon } = await sdk.coupons.create({ percent_off: 20, duration: 'once' })
  for (const name of ['A', 'B']) {
    await sdk.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: `${name}-${mark}` })
  }
  await page.goto('/dashboard/superadmin/coupons')
  const coupons = page.getByRole('list', { name: 'Coupons' }).getByRole('listitem')
  await page.getByRole('searchbox', { name: 'Search coupons' }).fill(mark.toLowerCase())
  await expect(coupons).toHaveText([new RegExp(`^B-${mark}`), new RegExp(`^A-${mark}`)])
  await page.getByLabel('Order').selectOption('Oldest first')
  await expect(coupons).toHaveText([new RegExp(`^A-${mark}`), new RegExp(`^B-${mark}`)])
  await page.getByLabel('State').selectOption('Expired')
  await expect(page.getByText('No coupon matches these filters.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(coupons.filter({ hasText: `A-${mark}` })).toBeVisible()

  const month = new Date().toISOString().slice(0, 7)
  await page.goto(`/dashboard/superadmin/revenue/organizations?figure=trialsStarted&month=${month}`)
  const found = page.getByRole('list', { name: 'Organisations' }).getByRole('listitem')
  await page.getByRole('searchbox', { name: 'Search organisations' }).fill(team.organizationName)
  await expect(found).toHaveCount(1)
  await expect(found).toContainText(team.organizationName)
  await page.getByLabel('Sort').selectOption('By name')
  await expect(page).toHaveURL(/sort=name/)
  await expectGoodLooks(page)
  await page.getByRole('searchbox', { name: 'Search organisations' }).fill('no such organisation')
  await expect(page.getByText('No results for “no such organisation”.')).toBeVisible()
})
