import { expect, test } from '../fixtures.ts'

test.describe('an app that changes its pages itself', () => {
  test('keeps an open panel and its text from view to view', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('single-page'))
    await visitor.write('Begun on one')
    await page.getByRole('link', { name: 'Two' }).click()
    await expect(page.getByRole('heading', { name: 'Two' })).toBeVisible()
    await expect(visitor.message).toHaveValue('Begun on one')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]?.page.url).toBe(`http://localhost:${host.port}/single-page/two`)
  })

  test("a launcher of the site's own works, also after its view is rendered again", async ({ page, host, visitor }) => {
    host.settings = { ...host.settings, style: 'display:none' }
    await page.addInitScript(() => {
      const calls = [['attachTo', '.ask']]
      window.earshot ??= Object.assign(() => {}, { q: calls }) as never
    })
    await page.goto(host.pageUrl('single-page'))
    await page.waitForFunction(() => window.earshot?.on)
    await page.locator('b', { hasText: 'us' }).click()
    await expect(visitor.message).toBeFocused()
    // A link that opens the panel leads nowhere else.
    expect(new URL(page.url()).hash).toBe('')
    await page.locator('.ask').click()
    await expect(visitor.panel).toBeHidden()
    await page.getByRole('link', { name: 'Two' }).click()
    await page.getByRole('link', { name: 'Ask again' }).click()
    await expect(visitor.message).toBeFocused()
    await expect(visitor.launcher).toBeHidden()
  })

  test('an element can be attached too, and the button shown and hidden', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('single-page'))
    await expect(visitor.launcher).toBeVisible()
    await page.evaluate(() => {
      window.earshot?.('hide')
      window.earshot?.('attachTo', document.querySelector('h1') as Element)
      window.earshot?.('attachTo', document.querySelector('h1') as Element)
    })
    await expect(visitor.launcher).toBeHidden()
    await page.getByRole('heading', { name: 'One' }).click()
    await expect(visitor.message).toBeFocused()
    await page.evaluate(() => window.earshot?.('show'))
    await expect(visitor.launcher).toBeVisible()
  })

  test('a body that is swapped, as Turbo does, with the snippet in it again', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('single-page'))
    await visitor.write('Begun before')
    for (let visit = 0; visit < 3; visit++) {
      await page.evaluate(async () => {
        const html = await (await fetch('/single-page/')).text()
        const next = new DOMParser().parseFromString(html, 'text/html')
        const snippet = next.querySelector('script[src]')
        // New bodies run their scripts.
        const script = document.createElement('script')
        script.src = snippet?.getAttribute('src') ?? ''
        document.documentElement.replaceChild(document.adoptNode(next.body), document.body)
        document.body.append(script)
        await new Promise((resolve) => {
          script.onload = resolve
        })
      })
    }
    await expect(visitor.launcher).toHaveCount(1)
    await expect(visitor.message).toHaveValue('Begun before')
    await visitor.send.click()
    await visitor.seesReceipt()
  })

  test('the form as a part of the page, until its view is removed', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('single-page'))
    await expect(visitor.launcher).toBeVisible()
    const place = () =>
      page.evaluate(() => {
        const shadowed = [...document.querySelectorAll('*')].filter((element) => element.shadowRoot)
        return shadowed.map((element) => element.parentElement?.localName)
      })
    await page.evaluate(() => window.earshot?.('open', 'text', { message: 'In the page' }, { container: 'main' }))
    const message = page.getByRole('textbox', { name: 'Your message' })
    await expect(message).toHaveValue('In the page')
    expect(await place()).toEqual(['main'])
    await expect(visitor.launcher).toBeHidden()
    await page.getByRole('link', { name: 'Two' }).click()
    await expect(message).toHaveCount(0)
    expect(await place()).toEqual(['html'])
    // The draft from that page is still here.
    await visitor.launcher.click()
    await expect(visitor.message).toHaveValue('In the page')
    await page.keyboard.press('Escape')

    await page.evaluate(() => window.earshot?.('open', 'text', {}, { container: 'main' }))
    await message.fill('Sent from within')
    await page.getByRole('button', { name: 'Send feedback' }).click()
    await expect.poll(() => host.received.length).toBe(1)
  })
})
