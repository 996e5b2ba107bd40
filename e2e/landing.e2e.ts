import { expectGoodLooks } from './looks.ts'
import { expect, test } from './product.ts'

// Not the name of a browser without a window.
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
})

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
  expect(html).toContain('Five ways to collect feedback')
  expect(html).toContain('Hear what your visitors have to say.')
  expect(html).toContain('rel="canonical"')
})

test('the real widget on the front page: what is sent stays in the browser and is shown as a team sees it', async ({
  page,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/e/')) asked.push(`${request.method()} ${pathname}`)
  })
  await page.goto('/')
  // Its button comes by itself, once the page is idle, and nothing but that.
  await expect(page.getByRole('button', { name: 'Feedback', exact: true })).toBeVisible()
  expect(asked).toEqual(['GET /e/wk_demo.js'])
  await expectGoodLooks(page)

  await page.getByRole('button', { name: 'Open the widget' }).click()
  const panel = page.getByRole('dialog', { name: /^(Send us your feedback|Thank you)$/ })
  await expect(panel.getByText('This is a demo: nothing leaves this tab.')).toBeVisible()
  await panel.getByRole('textbox', { name: 'Your message' }).fill('The heading is lovely')
  await panel.getByRole('radio', { name: 'Praise' }).check()
  await panel.getByRole('radio', { name: 'Good', exact: true }).check({ force: true })
  await panel.getByRole('button', { name: 'Screenshot' }).click()
  await page.getByRole('dialog', { name: 'Annotate the screenshot' }).getByRole('button', { name: 'Done' }).click()
  await expect(panel.getByRole('img', { name: 'Screenshot' })).toBeVisible()
  await panel.getByRole('button', { name: 'Send feedback' }).click()
  await expect(panel.getByText('Nothing left your browser.')).toBeVisible()

  const item = page.getByRole('article', { name: 'Item #1, as a team sees it' })
  await expect(item).toContainText('The heading is lovely')
  await expect(item).toContainText('Praise')
  await expect(item).toContainText('4 of 5')
  await expect(item).toContainText(page.url())
  await expect(item).toContainText('Chrome 142 on Linux')
  const picture = item.getByRole('img', { name: 'Screenshot' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300)
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(item).toBeInViewport()
  await expectGoodLooks(page)

  const sent = asked.filter((each) => !each.startsWith('GET ') && !each.includes('/n/'))
  expect(sent, 'nothing is sent to the server').toEqual([])
  const kept = () => page.evaluate(async () => [Object.keys(localStorage), (await indexedDB.databases()).length])
  expect(await kept()).toEqual([[], 0])
  expect(complaints).toEqual([])

  // The widget belongs to this page only.
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Feedback', exact: true })).toHaveCount(0)
})

test('a widget that can’t be loaded is told, and loaded at the next press', async ({ page }) => {
  await page.route('**/e/wk_demo.js', (route) => route.abort())
  await page.goto('/')
  const open = page.getByRole('button', { name: 'Open the widget' })
  await open.click()
  await expect(page.getByText('Couldn’t load the widget. Try again.')).toBeVisible()
  await page.unroute('**/e/wk_demo.js')
  await open.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Send us your feedback' })).toBeVisible()
  await expect(page.getByText('Couldn’t load the widget. Try again.')).toBeHidden()
})
