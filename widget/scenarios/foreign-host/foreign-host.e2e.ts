import { expect, test } from '../fixtures.ts'

test.describe('the host a page is on', () => {
  test('has no button on hosts outside the project, and logs why', async ({ page, host, visitor }) => {
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await page.goto(host.pageUrl('foreign-host', 'notexample.test'), { waitUntil: 'networkidle' })
    await expect(visitor.launcher).toHaveCount(0)
    expect(lines.filter((line) => line.includes('Earshot'))).toEqual([
      `Earshot: not for http://notexample.test:${host.port}`,
    ])
    expect(host.requested).toHaveLength(1)
  })

  for (const hostname of ['example.test', 'shop.example.test', 'localhost', '127.0.0.1']) {
    test(`has one on ${hostname}`, async ({ page, host, visitor }) => {
      await page.goto(host.pageUrl('foreign-host', hostname))
      await visitor.write('Hello')
      await visitor.send.click()
      await visitor.seesReceipt()
    })
  }
})
