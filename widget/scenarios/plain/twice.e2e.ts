import { expect, test } from '../fixtures.ts'

test('a page with the snippet twice has one button', async ({ page, host, visitor }) => {
  await page.goto(`${host.pageUrl('plain')}twice.html`, { waitUntil: 'networkidle' })
  await expect(visitor.launcher).toHaveCount(1)
  await visitor.write('Once')
  await visitor.send.click()
  await visitor.seesReceipt()
  expect(host.received).toHaveLength(1)
})
