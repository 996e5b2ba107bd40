import { expect, test } from '../fixtures.ts'

for (const alteration of [
  'nothing',
  'no console',
  'an empty console',
  'no fetch',
  'a fetch that adds credentials',
  'a fetch that answers with data',
  'no XMLHttpRequest',
  'no Promise',
  'no JSON',
  'Prototype.js',
]) {
  test(`a page with ${alteration}: text, rating and file arrive`, async ({ page, host, visitor }) => {
    await page.goto(`${host.pageUrl('altered-page')}?${alteration}`)
    await visitor.write('Nothing is as it was')
    await visitor.panel.getByRole('radio', { name: 'Good', exact: true }).check()
    await visitor.panel
      .getByLabel('File', { exact: true })
      .setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }])
    await visitor.send.click()
    await visitor.seesReceipt()
    await expect(visitor.panel.getByText('Your files have arrived.')).toBeVisible()
    const [{ number, body } = { number: 0, body: '{}' }] = host.stored.values()
    expect(JSON.parse(body)).toMatchObject({
      message: 'Nothing is as it was',
      rating: 4,
      attachments: [{ kind: 'file', name: 'a.txt' }],
      context: { languages: expect.any(Array), routes: [expect.any(Array)] },
    })
    expect(number).toBe(123)
    expect(host.stored.size).toBe(1)
    // Frames that requests went through are gone.
    await expect(page.locator('iframe')).toHaveCount(0)
  })
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 900, height: 500 },
  { width: 400, height: 700 },
]) {
  test(`a zoomed page of ${size.width} × ${size.height}: the panel stays in the window`, async ({
    page,
    host,
    visitor,
  }) => {
    await page.setViewportSize(size)
    await page.goto(host.pageUrl('altered-page'))
    await page.addStyleTag({ content: 'html { zoom: 1.5 }' })
    await visitor.open()
    const box = await visitor.panel.evaluate((panel) => panel.getBoundingClientRect().toJSON())
    expect(box.top).toBeGreaterThanOrEqual(0)
    expect(box.left).toBeGreaterThanOrEqual(0)
    const window = await page.evaluate(() => ({ right: innerWidth, bottom: innerHeight }))
    expect(box.right).toBeLessThanOrEqual(window.right)
    expect(box.bottom).toBeLessThanOrEqual(window.bottom)
  })
}
