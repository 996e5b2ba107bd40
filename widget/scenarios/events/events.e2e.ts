import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const readSeen = (page: Page) => page.evaluate(() => (window as unknown as { seen: unknown[] }).seen)

test.describe('events', () => {
  test('notify listeners of the site, late ones too', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('events'))
    await visitor.write('Heard')
    await visitor.send.click()
    await visitor.seesReceipt()
    await page.keyboard.press('Escape')
    await expect(visitor.panel).toBeHidden()
    expect(await readSeen(page)).toEqual([
      'load',
      'open',
      ['submit', { id: host.received[0]?.id, number: 123 }],
      'close',
    ])
    await page.evaluate(() => {
      const { seen } = window as unknown as { seen: unknown[] }
      seen.length = 0
      const listener = () => seen.push('once')
      window.earshot?.('on', 'load', () => seen.push('late'))
      window.earshot?.('on', 'open', listener)
      window.earshot?.('off', 'open', listener)
      window.earshot?.('on', 'open', () => {
        throw new Error('of the page')
      })
      window.earshot?.('on', 'open', () => seen.push(window.earshot?.('isOpen')))
    })
    await visitor.open()
    expect(await readSeen(page)).toEqual(['late', 'open', true])
    await expect
      .poll(() => host.requested.filter((path) => path.includes('/n/')).map((path) => path.split('/').pop()))
      .toEqual(['opened', 'closed', 'opened'])
  })

  test('beforesend changes what is sent', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('events'))
    await page.evaluate(() => {
      window.earshot?.('on', 'beforesend', () => {
        throw new Error('passed over')
      })
      window.earshot?.('on', 'beforesend', async (submission) => ({
        ...submission,
        message: `${submission.message} (edited)`,
      }))
      window.earshot?.('on', 'beforesend', (submission) => ({ ...submission, tags: ['vip'] }))
    })
    await visitor.write('Original')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).toMatchObject({ message: 'Original (edited)', tags: ['vip'] })
  })

  test('beforesend cancels, and the text stays', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('events'))
    await page.evaluate(() => window.earshot?.('on', 'beforesend', (submission) => submission.message !== 'No'))
    await visitor.write('No')
    await visitor.send.click()
    await expect(visitor.send).toBeEnabled()
    await page.waitForTimeout(200)
    await expect(visitor.message).toHaveValue('No')
    expect(host.received).toHaveLength(0)
    await visitor.message.fill('Yes')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received).toHaveLength(1)
  })

  test('submiterror says what went wrong', async ({ page, host, visitor }) => {
    host.replies.push({ status: 422, body: { code: 'invalid', title: 'That cannot be taken.' } })
    await page.goto(host.pageUrl('events'))
    await visitor.write('Refused')
    await visitor.send.click()
    await expect.poll(async () => JSON.stringify(await readSeen(page))).toContain('submiterror')
    expect(JSON.stringify(await readSeen(page))).toContain('refused')
  })

  test('commands before the script, in their order', async ({ page, host, visitor }) => {
    await page.addInitScript(() => {
      const calls: unknown[][] = []
      const stub = (...call: unknown[]) => calls.push(call)
      Object.assign(stub, { q: calls })
      Object.assign(window, { earshot: stub })
      stub('identify', { id: 'u1', email: 'old@example.com' })
      stub('identify', { id: 'u2', email: 'ada@example.com', name: 'Ada' }, { hash: 'abc123' })
      stub('setMetadata', { plan: 'free', seats: 1 })
      stub('setMetadata', { plan: 'gold' })
      stub('setTags', ['beta'])
      stub('setTheme', 'dark')
      stub('open', 'text', { message: 'Opened first' })
      stub('close')
      stub('open', 'text', { message: 'Opened second' })
    })
    await page.goto(host.pageUrl('rings'))
    await expect(visitor.message).toBeFocused()
    expect(await page.evaluate(() => window.earshot?.('isOpen'))).toBe(true)
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).toMatchObject({
      message: 'Opened second',
      email: 'ada@example.com',
      name: 'Ada',
      visitor: { id: 'u2', hash: 'abc123' },
      metadata: { plan: 'gold', seats: 1 },
      tags: ['beta'],
    })
  })

  test('the language can be changed, also while it is open', async ({ page, host, visitor }) => {
    host.texts = { label: 'Rückmeldung' }
    await page.goto(host.pageUrl('events'))
    await expect(visitor.launcher).toBeVisible()
    await page.evaluate(() => window.earshot?.('setLocale', 'de'))
    const button = page.getByRole('button', { name: 'Rückmeldung' })
    await button.click()
    await expect(page.getByRole('dialog')).toHaveAttribute('lang', 'de')
    await page.evaluate(() => window.earshot?.('setLocale', 'en'))
    await expect(visitor.panel).toHaveAttribute('lang', 'en')
    await expect(visitor.message).toBeVisible()
  })
})

test('says when the panel cannot be loaded, and retries', async ({ page, host, visitor }) => {
  // Each time that the visitor comes near the button, it is asked for.
  await page.route('**/panel.js*', (route) => route.abort())
  await page.goto(host.pageUrl('events'))
  await visitor.launcher.click()
  const again = page.getByRole('button', { name: '↻ Feedback' })
  await expect(again).toBeVisible()
  await expect(visitor.panel).toBeHidden()
  await page.unroute('**/panel.js*')
  await expect(async () => {
    await page.getByRole('button', { name: 'Feedback' }).click()
    await expect(visitor.message).toBeFocused({ timeout: 500 })
  }).toPass()
  await expect(visitor.launcher).toBeVisible()
})
