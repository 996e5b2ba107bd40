import { expect, test } from '../fixtures.ts'

test.describe('a plain page', () => {
  test('sends feedback and shows its number', async ({ page, host, visitor }) => {
    await page.goto(`${host.pageUrl('plain')}?q=beans&session_token=s3cret`)
    await visitor.write('  The order button does nothing.  ')
    await visitor.panel.getByRole('radio', { name: 'Bug' }).check()
    await visitor.panel.getByRole('radio', { name: 'Bad', exact: true }).check()
    await visitor.panel.getByRole('textbox', { name: 'Your email' }).fill('ada@example.com')
    await visitor.send.click()
    await visitor.seesReceipt()

    expect(host.received).toHaveLength(1)
    const [submission] = host.received
    expect(submission).toMatchObject({
      type: 'bug',
      message: 'The order button does nothing.',
      rating: 2,
      email: 'ada@example.com',
      page: { url: `${host.pageUrl('plain')}?q=beans&session_token=redacted`, title: 'Harbour Coffee' },
      metadata: { plan: 'gold' },
    })
    expect(submission?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('costs one request until the visitor comes near the button', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    await page.waitForTimeout(300)
    expect(host.requested).toHaveLength(1)
    await visitor.launcher.hover()
    await expect
      .poll(() => host.requested.slice(1).map((path) => path.replace(/.*\//, '')))
      .toEqual(['panel.js', 'en-v1.js'])
  })

  test('requests no name that ad-block lists contain', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Hello')
    await visitor.send.click()
    await visitor.seesReceipt()
    for (const path of host.requested)
      expect(path).not.toMatch(/feedback|widget|survey|track|collect|analytics|beacon/i)
    const names = await page.evaluate(() => {
      const root = [...document.documentElement.children].find((element) => element.shadowRoot)
      return [
        root?.id,
        root?.className,
        ...Array.from(root?.shadowRoot?.querySelectorAll('*') ?? [], (e) => e.className),
      ]
    })
    expect(names.join(' ')).not.toMatch(/feedback|survey|track/i)
  })

  test('is complete by keyboard, and gives the focus back', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    await visitor.launcher.focus()
    await page.keyboard.press('Enter')
    await expect(visitor.message).toBeFocused()
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Shift+Tab')
    // Going back leads to the last of the chips; from there the arrows go round.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(visitor.panel.getByRole('radio', { name: 'Idea' })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(visitor.panel).toBeHidden()
    await expect(visitor.launcher).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(visitor.message).toHaveValue('By keyboard')
    await page.keyboard.press('Control+Enter')
    await visitor.seesReceipt()
    await expect(visitor.panel.getByRole('heading', { name: 'Your feedback is #123.' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(visitor.launcher).toBeFocused()
    expect(host.received[0]).toMatchObject({ type: 'idea', message: 'By keyboard' })
  })

  test('clears a rating', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Never mind the rating')
    const good = visitor.panel.getByRole('radio', { name: 'Good', exact: true })
    await good.check()
    await visitor.panel.getByRole('button', { name: 'Clear' }).click()
    await expect(good).not.toBeChecked()
    await good.click()
    await expect(good).toBeChecked()
    await good.click()
    await expect(good).not.toBeChecked()
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).not.toHaveProperty('rating')
  })

  test('says what is missing, and moves there', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    await visitor.panel.getByRole('textbox', { name: 'Your email' }).fill('ada@')
    await visitor.send.click()
    await expect(visitor.message).toBeFocused()
    await expect(visitor.panel.getByText('Please write a few words first.')).toBeVisible()
    await expect(visitor.message).toHaveAttribute('aria-invalid', 'true')
    await visitor.message.fill('Words')
    await visitor.send.click()
    await expect(visitor.panel.getByText('This doesn’t look like an email address.')).toBeVisible()
    await expect(visitor.panel.getByRole('textbox', { name: 'Your email' })).toBeFocused()
    expect(host.received).toHaveLength(0)
  })

  test('counts near the limit and cuts nothing off', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('é'.repeat(9_499))
    await expect(visitor.panel.getByText('characters left')).toBeHidden()
    await visitor.message.fill('🎉'.repeat(9_900))
    await expect(visitor.panel.getByText('100 characters left')).toBeVisible()
    await visitor.message.fill('x'.repeat(10_003))
    await expect(visitor.panel.getByText('3 characters too many')).toBeVisible()
    await visitor.send.click()
    await expect(visitor.panel.getByText('Please shorten your message.')).toBeVisible()
    await visitor.message.fill('🎉'.repeat(10_000))
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received).toHaveLength(1)
  })

  test('keeps a draft over a reload and drops it when it is sent', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Half a thought')
    await page.reload()
    await visitor.open()
    await expect(visitor.message).toHaveValue('Half a thought')
    await visitor.send.click()
    await visitor.seesReceipt()
    await page.reload()
    await visitor.open()
    await expect(visitor.message).toHaveValue('')
  })

  test('works by its API', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    const call = (...args: unknown[]) =>
      page.evaluate((values) => window.earshot?.(...(values as ['open'])) as unknown, args)
    await call('hide')
    await expect(visitor.launcher).toBeHidden()
    await call('identify', { email: 'grace@example.com', name: 'Grace' })
    await page.locator('#search').focus()
    await call('open', 'text', { message: 'From the menu', type: 'question' })
    await expect(visitor.message).toHaveValue('From the menu')
    // What the site has told us is not asked.
    await expect(visitor.panel.getByRole('textbox', { name: 'Your email' })).toHaveCount(0)
    expect(await call('isOpen')).toBe(true)
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).toMatchObject({ type: 'question', email: 'grace@example.com', name: 'Grace' })
    await call('close')
    expect(await call('isOpen')).toBe(false)
    await expect(page.locator('#search')).toBeFocused()
    await call('show')
    await call('toggle')
    await expect(visitor.panel).toBeVisible()
    await call('destroy')
    await expect(visitor.launcher).toHaveCount(0)
    expect(await page.evaluate(() => typeof window.earshot)).toBe('undefined')
  })

  test('is added again when the page replaces its body or removes everything', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Still here')
    await page.evaluate(() => {
      document.body = document.createElement('body')
    })
    await expect(visitor.message).toHaveValue('Still here')
    await page.evaluate(() => {
      for (const element of document.documentElement.querySelectorAll(':scope > :not(head, body)')) element.remove()
    })
    await expect(visitor.launcher).toBeVisible()
    await expect(visitor.message).toHaveValue('Still here')
  })

  test('does not fight a page that keeps removing it', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    const removals = await page.evaluate(async () => {
      let count = 0
      const remove = () => {
        for (const element of document.querySelectorAll('html > :not(head, body)')) {
          count++
          element.remove()
        }
      }
      new MutationObserver(remove).observe(document.documentElement, { childList: true })
      remove()
      await new Promise((resolve) => setTimeout(resolve, 300))
      return count
    })
    expect(removals).toBeGreaterThan(0)
    await page.locator('#order').click()
  })

  test('works after navigating away and back', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Hello')
    await visitor.send.click()
    await visitor.seesReceipt()
    await page.goto(host.pageUrl('foreign-host', 'elsewhere.test'))
    await page.goBack()
    await visitor.open()
  })

  test('is not in the way of printing', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(visitor.launcher).toBeHidden()
  })

  test('shifts nothing', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let total = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) total += (entry as PerformanceEntry & { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(total), 300)
        }),
    )
    expect(shift).toBe(0)
  })
})
