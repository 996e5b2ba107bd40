import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { everyField } from '../looks/states.ts'

const call = (page: Page, ...args: unknown[]) =>
  page.evaluate((values) => (window.earshot as unknown as (...all: unknown[]) => unknown)(...values), args)

test.describe('the form', () => {
  test('asks every kind of question and sends the answers', async ({ page, host, visitor }) => {
    host.panelSettings = { ...host.panelSettings, ...everyField }
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Here is all of it')
    await visitor.send.click()
    const { panel } = visitor
    await expect(panel.getByRole('combobox', { name: 'Your plan' })).toBeFocused()
    await expect(panel.getByText('Please fill this in.')).toHaveCount(2)
    await expect(panel.getByText('Please agree first.')).toBeVisible()
    expect(host.received).toHaveLength(0)

    await panel.getByRole('combobox', { name: 'Your plan' }).selectOption('Pro')
    await panel.getByRole('textbox', { name: 'Room number' }).fill(' 12 b ')
    await panel.getByRole('checkbox', { name: 'You may call me back' }).check()
    await panel.getByRole('textbox', { name: 'Your name' }).fill('Ada')
    await panel.getByRole('textbox', { name: 'Your email' }).fill('ada@example.com')
    await panel.getByRole('checkbox', { name: 'I agree' }).check()
    await panel.getByRole('radio', { name: '0', exact: true }).check()
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).toMatchObject({
      type: 'other',
      nps: 0,
      fields: { plan: 'Pro', room: '12 b', call: true },
      consent: true,
      email: 'ada@example.com',
      name: 'Ada',
    })
    expect(host.received[0]).not.toHaveProperty('rating')
    expect(host.received[0]?.guard?.elapsedMs).toBeGreaterThan(0)
    expect(host.received[0]?.guard).not.toHaveProperty('website')
    expect(host.received[0]?.visitorKey).toMatch(/^[\w-]{22}$/)
  })

  test('takes a rating in stars, and nothing else', async ({ page, host, visitor }) => {
    host.panelSettings = { ...host.panelSettings, rating: 'stars', email: 'hidden', types: [], ownItems: false }
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    await expect(visitor.panel.getByRole('textbox')).toHaveCount(1)
    await visitor.panel.getByRole('radio', { name: 'Good', exact: true }).check()
    await expect(visitor.panel.locator('.on')).toHaveCount(4)
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).toMatchObject({ type: 'other', rating: 4, message: '' })
    expect(host.received[0]).not.toHaveProperty('visitorKey')
    expect(await page.evaluate(() => localStorage.getItem('earshot.visitor'))).toBeNull()
  })

  test('uses the site’s prefill', async ({ page, host, visitor }) => {
    host.panelSettings = { ...host.panelSettings, ...everyField, rating: 'faces' }
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeVisible()
    await call(page, 'identify', { id: 'u1', name: 'Grace', email: 'grace@example.com' }, { hash: 'ab12' })
    await call(page, 'setTags', ['checkout'])
    await call(page, 'open', 'text', { type: 'idea', message: 'From the shop', rating: 5, fields: { plan: 'Free' } })
    await expect(visitor.message).toHaveValue('From the shop')
    await expect(visitor.panel.getByRole('radio', { name: 'Very good' })).toBeChecked()
    await expect(visitor.panel.getByRole('textbox', { name: 'Your name' })).toHaveCount(0)
    await visitor.panel.getByRole('checkbox', { name: 'I agree' }).check()
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]).toMatchObject({
      type: 'idea',
      rating: 5,
      fields: { plan: 'Free' },
      visitor: { id: 'u1', hash: 'ab12' },
      name: 'Grace',
      email: 'grace@example.com',
      tags: ['checkout'],
    })
  })

  test('keeps every answer over a reload, and none where storage is off', async ({ page, host, visitor }) => {
    host.panelSettings = { ...host.panelSettings, ...everyField }
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Half a thought')
    await visitor.panel.getByRole('textbox', { name: 'Room number' }).fill('12')
    await visitor.panel.getByRole('radio', { name: '9', exact: true }).check()
    await page.reload()
    await visitor.open()
    await expect(visitor.message).toHaveValue('Half a thought')
    await expect(visitor.panel.getByRole('textbox', { name: 'Room number' })).toHaveValue('12')
    await expect(visitor.panel.getByRole('radio', { name: '9', exact: true })).toBeChecked()

    host.settings = { ...host.settings, storage: false }
    await page.goto(host.pageUrl('plain'))
    await page.evaluate(() => sessionStorage.clear())
    await visitor.write('Gone with the page')
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0])
  })

  test('hides the honeypot field from people', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Buy now')
    await expect(visitor.panel.getByRole('textbox', { name: 'website' })).toHaveCount(0)
    await page.locator('[name=website]').evaluate((input: HTMLInputElement) => {
      input.value = 'https://spam.test'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]?.guard?.website).toBe('https://spam.test')
  })

  test('lets the site change or cancel a submission', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(window, { heard })
      for (const event of ['open', 'submit', 'close'] as const)
        window.earshot?.('on', event, () => void heard.push(event))
      let isFirst = true
      window.earshot?.('on', 'beforesend', (submission) => {
        if (!isFirst) return { ...submission, message: `${submission.message}, edited` }
        isFirst = false
        return false
      })
    })
    await visitor.write('As written')
    await visitor.send.click()
    await page.waitForTimeout(300)
    expect(host.received).toHaveLength(0)
    await expect(visitor.message).toHaveValue('As written')
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]?.message).toBe('As written, edited')
    await visitor.panel.getByRole('button', { name: 'Done' }).click()
    await expect
      .poll(() => page.evaluate(() => (window as never as { heard: string[] }).heard))
      .toEqual(['open', 'submit', 'close'])
  })

  test('fills an element of the page, without a close button and without taking the focus', async ({ page, host }) => {
    await page.goto(host.pageUrl('plain'))
    await expect(page.locator('.go')).toBeVisible()
    await page.evaluate(() => {
      const place = document.createElement('section')
      place.id = 'place'
      document.querySelector('main')?.append(place)
      window.earshot?.('open', 'text', {}, { container: '#place' })
    })
    const panel = page.getByRole('region', { name: /^(Send us your feedback|Thank you)$/ })
    await expect(panel.getByRole('textbox', { name: 'Your message' })).not.toBeFocused()
    await expect(panel.getByRole('button', { name: 'Close' })).toHaveCount(0)
    const [outer, inner] = await Promise.all([page.locator('#place').boundingBox(), panel.boundingBox()])
    expect(inner?.width).toBe(outer?.width)
    await panel.getByRole('textbox', { name: 'Your message' }).fill('Within')
    await panel.getByRole('button', { name: 'Send feedback' }).click()
    await expect(panel.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  })

  test('opens from a button of the site', async ({ page, host, visitor }) => {
    host.settings = { ...host.settings, style: `${host.settings.style};display:none` }
    await page.goto(host.pageUrl('plain'))
    await expect(visitor.launcher).toBeHidden()
    await call(page, 'attachTo', '#order')
    await page.locator('#order').click()
    await expect(visitor.message).toBeFocused()
    expect((await visitor.panel.boundingBox())?.y).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await expect(page.locator('#order')).toBeFocused()
  })

  test('offers email when sending fails', async ({ page, host, visitor }) => {
    host.panelSettings = { ...host.panelSettings, contactEmail: 'help@example.test' }
    host.replies.push({ status: 400, body: { title: 'No.' } })
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Precious & rare')
    await visitor.send.click()
    await expect(visitor.panel.getByRole('link', { name: 'Send by email' })).toHaveAttribute(
      'href',
      'mailto:help@example.test?body=Precious%20%26%20rare',
    )
  })
})

for (const height of [900, 480, 320]) {
  test(`sending is in reach in a window ${height} px high, and covers no field in use`, async ({
    page,
    host,
    visitor,
  }) => {
    host.panelSettings = { ...host.panelSettings, name: 'optional' }
    await page.setViewportSize({ width: 420, height })
    await page.goto(host.pageUrl('looks'))
    await visitor.open()
    const name = visitor.panel.getByRole('textbox', { name: 'Your name' })
    for (const field of [visitor.message, name]) {
      await field.focus()
      await expect(visitor.send).toBeInViewport({ ratio: 1 })
      await expect
        .poll(async () => {
          const [used, send] = await Promise.all([field.boundingBox(), visitor.send.boundingBox()])
          return used && send && used.y < send.y
        })
        .toBe(true)
    }
    await name.fill('Ada')
    await visitor.message.fill('In reach')
    await visitor.send.click()
    await visitor.seesReceipt()
  })
}

test('after sending, the item is shown as a card that follows its status and replies', async ({
  page,
  host,
  visitor,
}) => {
  await page.clock.install()
  await page.goto(host.pageUrl('looks'))
  await page.clock.runFor(500)
  await visitor.write('The shelf page jumps.')
  await visitor.panel.getByRole('radio', { name: 'Bug' }).check()
  await visitor.send.click()
  await visitor.seesReceipt()
  await expect(visitor.panel.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  const card = visitor.panel.getByRole('listitem')
  await expect(card).toContainText('#123 Bug')
  await expect(card).toContainText('New')
  await expect(card).toContainText('The shelf page jumps.')
  const createdAt = '2026-11-18T10:00:00Z'
  host.ownItems = [
    {
      id: host.received[0]?.id ?? '',
      number: 123,
      type: 'bug',
      status: 'in_progress',
      createdAt,
      excerpt: 'The shelf page jumps.',
      refusedFiles: [],
      replies: [{ id: '018f0000-0000-7000-8000-000000000002', authorName: 'Mia', text: 'We see it too.', createdAt }],
    },
  ]
  await page.clock.fastForward(16_000)
  await expect(card).toContainText('In progress')
  await expect(card).toContainText('We see it too.')
  // Nothing is asked for once the panel shows something else.
  await visitor.panel.getByRole('button', { name: 'Done' }).click()
  // From here on time stands still: a timer that fires by itself is no question of this test.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 16_000))
  const askedLater: string[] = []
  page.on('request', (request) => askedLater.push(request.url()))
  await page.clock.fastForward(60_000)
  expect(askedLater.filter((url) => url.endsWith('/items'))).toEqual([])
})

test.describe('the list of own items', () => {
  test('shows status and replies, and leads back', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('First')
    await visitor.send.click()
    await visitor.seesReceipt()
    await visitor.panel.getByRole('button', { name: 'Send another' }).click()
    const createdAt = '2026-11-18T10:00:00Z'
    const replies = [{ id: '1', authorName: 'Mia', text: 'We <b>see</b> it too.', createdAt }]
    host.ownItems = [
      {
        id: '1',
        number: 123,
        type: 'bug',
        status: 'resolved',
        excerpt: 'First',
        createdAt,
        refusedFiles: ['notes.txt'],
        replies,
      },
    ]
    await visitor.panel.getByRole('button', { name: 'Your feedback', exact: true }).click()
    const items = page.getByRole('dialog', { name: 'Your feedback', exact: true })
    await expect(items.getByText('#123')).toBeVisible()
    await expect(items.getByText('Resolved')).toBeVisible()
    await expect(items.getByText('Not kept, because of its content: notes.txt')).toBeVisible()
    await expect(items.getByText('We <b>see</b> it too.')).toBeVisible()
    await expect(items.getByRole('button', { name: 'Back' })).toBeFocused()
    await items.getByRole('button', { name: 'Back' }).click()
    await expect(visitor.message).toBeFocused()
  })

  test('says when it cannot be loaded, and tries again', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await page.evaluate(() => localStorage.setItem('earshot.visitor', 'A'.repeat(22)))
    await visitor.open()
    await page.route('**/items', (route) => route.fulfill({ status: 500 }))
    await visitor.panel.getByRole('button', { name: 'Your feedback', exact: true }).click()
    const items = page.getByRole('dialog', { name: 'Your feedback', exact: true })
    await expect(items.getByText('Couldn’t load your feedback.')).toBeVisible()
    await page.unroute('**/items')
    await items.getByRole('button', { name: 'Try again' }).click()
    await expect(items.getByText('No feedback from this browser yet.')).toBeVisible()
  })
})
