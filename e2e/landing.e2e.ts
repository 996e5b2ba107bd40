import { expectGoodLooks } from './looks.ts'
import { expect, test } from './product.ts'

test('the front page breaks no policy, is accessible and needs no script to be read', async ({ page, request }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hear what your visitors have to say.')
  await expectGoodLooks(page)
  expect(complaints).toEqual([])
  const html = await (await request.get('/')).text()
  expect(html).toContain('Hear what your visitors have to say.')
  expect(html).toContain('rel="canonical"')
})
