import { expect, test } from '../fixtures.ts'

// Violations would be reported by the `complaints` fixture, which every test has.
test('keeps to a strict policy with Trusted Types', async ({ page, host, visitor }) => {
  host.pageHeaders = {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'nonce-n0nce' 'strict-dynamic'",
      `connect-src http://127.0.0.1:${host.port}`,
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  }
  await page.goto(host.pageUrl('strict-csp'))
  await visitor.write('Under a strict policy')
  await expect(visitor.panel).toHaveCSS('border-radius', '14px')
  await visitor.send.click()
  await visitor.seesReceipt()
  expect(host.received).toHaveLength(1)
})

test('says that sending failed when the policy forbids it, and keeps the text', async ({
  page,
  host,
  visitor,
  complaints,
}) => {
  host.pageHeaders = { 'content-security-policy': "connect-src 'self'" }
  await page.goto(host.pageUrl('strict-csp'))
  await visitor.write('Not allowed out')
  await visitor.send.click()
  await expect(visitor.panel.getByText('Not sent yet')).toBeVisible({ timeout: 15_000 })
  await expect(visitor.message).toHaveValue('Not allowed out')
  expect(complaints.length).toBeGreaterThan(0)
  complaints.length = 0
})
