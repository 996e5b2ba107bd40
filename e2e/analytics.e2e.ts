import type { Page } from '@playwright/test'
import { type AnalyticsName, analyticsEvents } from '#contract/analytics-events.ts'
import { expectGoodLooks } from './looks.ts'
import { hideRobot, type MeasuringReceiver, startMeasuringReceiver, watchOutside } from './measuring-receiver.ts'
import { expect, test } from './product.ts'
import { type Product, startProduct } from './start-product.ts'
import { payCheckout } from './stripe-pages.ts'

/*
 * What browsers tell PostHog, Sentry and Google Analytics. That the server tells PostHog everything else is shown by
 * server/recorded-events.test.ts and server/features/product-analytics.
 */

const email = 'grace@example.com'
const password = 'a long password'

/** The first who signs up is also superadmin. */
async function signUp(page: Page, product: Product): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Grace Hopper')
  await page.getByLabel('Organisation').fill('Compilers')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('form button[type=submit]').click()
  await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
  const mail = await product.mails.waitForMail(email)
  await page.goto(mail.links.find((each) => each.includes('/verify')) ?? '')
  await expect(page).toHaveURL(/\/dashboard/)
}

/** Blocks the page for longer than a person overlooks. */
async function pressSlowly(page: Page): Promise<void> {
  await page.evaluate(() => {
    const block = () => {
      const until = performance.now() + 900
      while (performance.now() < until) {
        // Busy.
      }
    }
    document.addEventListener('pointerup', block, { once: true })
  })
  await page.getByRole('heading', { name: 'Settings' }).click()
}

test.describe('with the keys of all services', () => {
  let product: Product
  let receiver: MeasuringReceiver

  test.beforeAll(async () => {
    test.setTimeout(240_000)
    receiver = await startMeasuringReceiver()
    product = await startProduct(receiver.env)
  })
  test.afterAll(async () => {
    await product?.stop()
    receiver?.stop()
  })

  test('screens count each of their events, without personal data', async ({ browser }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext({ baseURL: product.url })
    await hideRobot(context)
    await receiver.standInForGoogle(context)
    const page = await context.newPage()
    const outside = watchOutside(page, product.url)
    await signUp(page, product)
    await page.goto(`/dashboard/settings?from=${email}`)
    await page.getByLabel('Full name').fill('Grace Murray')
    await page.getByRole('button', { name: 'Save name' }).click()
    await expect(page.getByText('Name saved').first()).toBeVisible()
    await pressSlowly(page)
    await page.evaluate((address) => {
      setTimeout(() => {
        throw new Error(`${address} could not be saved with sk_live_51Habcdefghijklmnopqrstuv`)
      })
    }, email)
    const countReports = (type: string) => receiver.reports().filter((each) => each.type === type).length
    await expect.poll(() => countReports('event')).toBe(1)

    await page.goto('/plan-selection')
    await page.getByRole('listitem', { name: 'Growth' }).getByRole('button', { name: 'Choose Growth' }).click()
    await payCheckout(page)
    await expect(page.getByText('Your plan Growth is active', { exact: true })).toBeVisible()
    await expect.poll(() => JSON.stringify(receiver.googleCalls())).toContain('"purchase"')
    await page.goto('/dashboard/superadmin/subscriptions')
    await page.getByRole('link', { name: 'Compilers' }).click()
    await page.getByRole('button', { name: /^Refund payment/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('4.50')
    await dialog.getByLabel('Reason').fill('Double')
    await dialog.getByRole('button', { name: 'Refund payment' }).click()
    await expect(page.getByText('Payment refunded').first()).toBeVisible()

    // An answer that the screen can't show.
    await page.route('**/api/v1/organizations/*/storage', (route) => route.fulfill({ json: {} }))
    await page.goto('/dashboard/settings/storage')
    await expect(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeVisible()
    // A replay follows its error after some seconds.
    await expect.poll(() => countReports('replay_recording'), { timeout: 20_000 }).toBeGreaterThan(0)
    await page.unroute('**/api/v1/organizations/*/storage')
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible()

    await test.step('PostHog counts all events of screens, for the person and their organisation', async () => {
      // The keys of an object are its names.
      const names = (Object.keys(analyticsEvents) as AnalyticsName[]).filter(
        (name) => analyticsEvents[name].from === 'browser',
      )
      const listMissing = () => {
        const seen = new Set(receiver.events().map(({ event }) => event))
        return [...names, '$identify', '$groupidentify', '$pageleave', 'trial_started', 'payment_succeeded'].filter(
          (name) => !seen.has(name),
        )
      }
      await expect.poll(listMissing, { timeout: 20_000 }).toEqual([])
      const find = (name: string) => receiver.events().filter(({ event }) => event === name)
      expect(find('$pageview')).toEqual([])
      expect(find('$groupidentify')[0]?.properties).toMatchObject({
        $group_type: 'organization',
        $group_set: { subscription_status: expect.any(String) },
      })
      const personId = find('settings_updated')[0]?.properties.distinct_id
      // The same person to the server as to the browser.
      expect(find('trial_started')[0]?.properties.distinct_id).toEqual(personId)
      expect(find('user_logged_out')[0]?.properties.distinct_id).toEqual(personId)
      expect(find('settings_viewed').map(({ properties }) => properties.section)).toEqual(
        expect.arrayContaining(['account', 'billing']),
      )
      // Beside those of a slow machine.
      expect(find('performance_issue').map(({ properties }) => properties)).toContainEqual(
        expect.objectContaining({ metric: 'INP', threshold: 500 }),
      )
      const errors = find('error_occurred').map(({ properties }) => properties)
      const findRefused = () => find('error_occurred').find(({ properties }) => properties.context === 'auth')
      await expect.poll(findRefused).toBeDefined()
      // No one after sign-out.
      expect(findRefused()?.properties.distinct_id).not.toEqual(personId)
      expect(findRefused()?.properties).toMatchObject({ $is_identified: false })
      expect(findRefused()?.properties.$groups ?? {}).toEqual({})
      expect(errors).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            context: 'uncaught',
            error_message: expect.stringContaining('could not be saved'),
          }),
          expect.objectContaining({ context: 'crash_screen', error_message: expect.stringContaining('TypeError') }),
        ]),
      )
      expect(find('payment_succeeded')[0]?.properties).toMatchObject({
        plan: 'Growth',
        price: 49,
        currency: 'usd',
        items: [{ item_name: 'Growth Plan', item_category: 'Subscription', quantity: 1, price: 49 }],
      })
    })

    await test.step('Sentry gets scrubbed errors, timings and replays', async () => {
      const find = (type: string) => receiver.reports().filter((each) => each.type === type)
      const [uncaught] = find('event').filter(({ content }) => content.includes('could not be saved'))
      // The protocol's form.
      const report = JSON.parse(uncaught?.content ?? '') as Record<string, unknown>
      expect(report).toMatchObject({ release: '1.0.0' })
      expect(uncaught?.content).toContain('[email] could not be saved with')
      const agent = /"User-Agent":"([^"]*)"/.exec(uncaught?.content ?? '')?.[1]
      expect(agent).toMatch(/^Mozilla/)
      expect(agent).toHaveLength(1000)
      expect(find('event').some(({ content }) => content.includes('"context":"crash_screen"'))).toBe(true)
      for (const { content } of find('replay_recording')) {
        expect(content).toContain('"type":')
        expect(content).not.toMatch(/Growth|Storage|Payment/)
      }
      expect(receiver.reports().map(({ type }) => type)).toContain('span')
    })

    await test.step('Google Analytics counts events, a purchase and its refund, and no page views', async () => {
      const listSent = () => receiver.googleCalls().filter(([kind]) => kind === 'event')
      await expect
        .poll(() => listSent().map(([, name]) => name))
        .toEqual(expect.arrayContaining(['purchase', 'refund']))
      const find = (name: string) => listSent().find(([, each]) => each === name)?.[2]
      const item = { item_name: 'Growth Plan', item_category: 'Subscription', quantity: 1 }
      expect(find('purchase')).toMatchObject({ value: 49, currency: 'USD', items: [{ ...item, price: 49 }] })
      // Found in the object above.
      const { transaction_id: bought } = find('purchase') as { transaction_id: string }
      expect(find('refund')).toMatchObject({ transaction_id: bought, value: 4.5, items: [{ ...item, price: 4.5 }] })
      expect(find('page_view')).toBeUndefined()
      expect(find('settings_updated')).toMatchObject({ page_location: `${product.url}/dashboard/settings` })
      const settings = receiver.googleCalls().find(([kind]) => kind === 'config')
      expect(settings).toMatchObject(['config', 'G-EARSHOT', { send_page_view: false }])
    })

    for (const secret of ['Grace', 'Hopper', email, 'grace%40', 'code=', '"$user_id"', password, 'sk_live_']) {
      expect(receiver.everything()).not.toContain(secret)
    }
    const hosts = [
      receiver.env.POSTHOG_HOST,
      'https://www.googletagmanager.com',
      'https://region1.google-analytics.com',
    ]
    // Stripe's page is one that the buyer goes to.
    expect([...outside].filter((origin) => !origin.endsWith(`:${product.stripePort}`)).toSorted()).toEqual(
      hosts.toSorted(),
    )
    await context.close()
  })
})

test.describe('where people are asked for consent', () => {
  let product: Product
  let receiver: MeasuringReceiver

  test.beforeAll(async () => {
    test.setTimeout(240_000)
    receiver = await startMeasuringReceiver()
    product = await startProduct({ ...receiver.env, ANALYTICS_CONSENT: 'required' })
  })
  test.afterAll(async () => {
    await product?.stop()
    receiver?.stop()
  })

  test('nothing is loaded before Accept, and nothing is stored after a withdrawal', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: product.url })
    await hideRobot(context)
    await receiver.standInForGoogle(context)
    const page = await context.newPage()
    const outside = watchOutside(page, product.url)
    const banner = page.getByRole('region', { name: 'Analytics and error reports' })
    const listStored = () =>
      page.evaluate(() =>
        [...Object.keys(localStorage), ...document.cookie.split('; ')].filter((name) => /^(ph_|__ph|_ga)/.test(name)),
      )

    await page.goto('/')
    await expect(banner).toContainText('May this page load PostHog, Google Analytics and Sentry?')
    await expectGoodLooks(page)
    // The first stops of the keyboard, and equal to look at.
    await page.locator('body').press('Tab')
    await expect(banner.getByRole('button', { name: 'Decline' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(banner.getByRole('button', { name: 'Accept' })).toBeFocused()
    const readLook = (name: string) =>
      banner.getByRole('button', { name }).evaluate((button) => [button.className, button.clientWidth])
    expect(await readLook('Accept')).toEqual(await readLook('Decline'))
    // On a phone, the button of the widget is above all.
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await banner.getByRole('button', { name: 'Accept' }).click({ trial: true })
    if (size) await page.setViewportSize(size)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(banner).toBeHidden()
    await page.goto('/login')
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-app-loaded')
    await expect(banner).toBeHidden()
    expect([...outside]).toEqual([])

    await test.step('a link with the id analytics-choices asks again', async () => {
      await page.evaluate(() => {
        const link = Object.assign(document.createElement('a'), { id: 'analytics-choices', href: '#analytics-choices' })
        link.textContent = 'Analytics choices'
        document.body.append(link)
      })
      await page.getByRole('link', { name: 'Analytics choices' }).click()
      await expect(banner).toBeVisible()
      await expect(banner).toBeFocused()
      await banner.getByRole('button', { name: 'Accept' }).click()
      await expect(page.getByRole('link', { name: 'Analytics choices' })).toBeFocused()
      await expect.poll(() => [...outside]).toHaveLength(3)
    })

    await signUp(page, product)
    await expect.poll(() => receiver.events().map(({ event }) => event)).toContain('user_signed_up')
    await page.goto('/dashboard/settings')
    const choice = page.getByRole('switch', { name: 'Analytics and error reports' })
    await expect(choice).toBeChecked()
    await expect.poll(listStored).not.toEqual([])
    await expectGoodLooks(page)
    await choice.click()
    await expect(choice).not.toBeChecked()
    await expect.poll(listStored).toEqual([])
    await page.getByLabel('Full name').fill('Grace Murray')
    await page.getByRole('button', { name: 'Save name' }).click()
    await expect(page.getByText('Name saved').first()).toBeVisible()
    outside.clear()
    await page.goto('/dashboard/projects')
    await expect(page.getByRole('heading', { name: 'Projects' }).first()).toBeVisible()
    expect([...outside]).toEqual([])
    const names = receiver.events().filter(({ properties }) => properties.$lib === 'web')
    expect(names.map(({ event }) => event)).not.toContain('settings_updated')
    expect(names.filter(({ properties }) => properties.$event_type === 'submit')).toHaveLength(1)
    expect(await listStored()).toEqual([])
    await context.close()
  })
})

const screens = [
  ...[
    '/',
    '/pricing',
    '/how-it-works',
    '/about',
    '/contact',
    '/privacy',
    '/terms',
    '/login',
    '/register',
    '/forgot-password',
    '/dashboard',
    '/dashboard/projects',
  ],
  ...['/dashboard/projects/new', '/dashboard/feedback', '/dashboard/visitors', '/dashboard/analytics'],
  ...['/dashboard/integrations', '/dashboard/integrations/new/webhook', '/dashboard/organization'],
  ...['/dashboard/settings', '/dashboard/settings/notifications', '/dashboard/settings/storage'],
  ...['/dashboard/settings/billing', '/plan-selection', '/trial-expired', '/test-feedback', '/no-such-page'],
]

test('without keys, no screen loads or stores anything of other servers', async ({ page, signUp, baseURL }) => {
  test.setTimeout(120_000)
  const outside = watchOutside(page, new URL(baseURL ?? '').origin)
  const services: string[] = []
  page.on('request', (request) => {
    if (/(measuring|posthog|sentry|google|consent)/i.test(new URL(request.url()).pathname)) services.push(request.url())
  })
  await signUp(page)
  for (const path of screens) {
    const answer = await page.goto(path)
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("img-src 'self' data: blob:;")
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/)
    await expect(page.locator('html')).toHaveAttribute('data-app-loaded')
    // What a screen loads when it is idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  }
  expect([...outside]).toEqual([])
  expect(services).toEqual([])
  expect(await page.context().cookies()).toEqual([])
})
