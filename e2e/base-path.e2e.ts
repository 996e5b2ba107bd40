import { request as ask, createServer } from 'node:http'
import { expect, type Page, test } from '@playwright/test'
import { type CustomerWebsite, startCustomerWebsite } from './customer-website.ts'
import { findFreePorts, type Product, startProduct } from './start-product.ts'
import { visit } from './visitor.ts'

/*
 * The product at https://example.org/feedback, beside another app of the same host: a proxy passes on what is below the
 * path, as it is, and the other app answers everything else. What reaches the other app has lost its path.
 */
const basePath = '/feedback'
const password = 'correct horse 27 battery'

let product: Product
let host = ''
let website: CustomerWebsite
let snippet = ''
let strays: string[] = []
let stopHost: () => Promise<void>

/** Other addresses of the host are the other app's. */
async function startHost(port: number, productPort: number): Promise<() => Promise<void>> {
  const server = createServer((request, reply) => {
    const url = request.url ?? ''
    if (!/^\/feedback(?:[/?]|$)/.test(url)) {
      strays.push(`${request.method} ${url}`)
      reply.writeHead(404, { 'content-type': 'text/plain' }).end('The other app has no such page.')
      return
    }
    const { method, headers } = request
    const passed = ask({ host: '127.0.0.1', port: productPort, path: url, method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(reply)
    })
    passed.on('error', () => reply.destroy())
    reply.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
}

test.beforeAll(async () => {
  test.setTimeout(200_000)
  const [port = 0, hostPort = 0] = await findFreePorts(2)
  host = `http://localhost:${hostPort}`
  product = await startProduct({
    PORT: String(port),
    APP_URL: `${host}${basePath}`,
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '100000',
    INGEST_RATE_PER_MINUTE: '100000',
  })
  stopHost = await startHost(hostPort, port)
  website = await startCustomerWebsite(() => snippet)
})
test.afterAll(async () => {
  await website.stop()
  await stopHost()
  await product.stop()
})
test.beforeEach(() => {
  strays = []
})

const at = (path: string) => `${host}${basePath}${path}`

function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`)
  })
  return problems
}

async function expectHeading(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(at(path))
  const names = page.getByRole('heading', { level: 1 })
  await expect(names.filter({ hasText: heading }).first(), path).toBeVisible()
}

/** Addresses of the page's own host that are not below the path. */
const listLostAddresses = (page: Page) =>
  page.evaluate(
    (base) =>
      [...document.querySelectorAll('[href], [src], [action]')]
        .flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name) ?? ''))
        .filter((address) => address.startsWith('/') && !address.startsWith(`${base}/`) && address !== base),
    basePath,
  )

test('public pages, guides and the blog have all addresses below the path', async ({ page }) => {
  const problems = collectProblems(page)
  const pages: readonly (readonly [string, string | RegExp])[] = [
    ['', 'Hear what your visitors have to say.'],
    ['/', 'Hear what your visitors have to say.'],
    ['/pricing', 'Pricing'],
    ['/how-it-works', 'How it works'],
    ['/about', 'About Earshot'],
    ['/contact', 'Contact'],
    ['/blog', 'Blog'],
    ['/privacy', 'Privacy policy'],
    ['/docs/guides/quick-start', 'Quick start'],
    ['/login', 'Welcome back'],
    ['/register', 'Create your account'],
  ]
  for (const [path, heading] of pages) {
    await expectHeading(page, path, heading)
    expect(await listLostAddresses(page), path).toEqual([])
  }
  // `/docs` leads to the first guide.
  await page.goto(at('/docs'))
  await expect(page).toHaveURL(/\/feedback\/docs\/guides\//)
  await page.getByRole('combobox', { name: 'Search the guides' }).fill('retention and erasure')
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/\/feedback\/docs\/guides\/retention/)
  await page.goto(at('/blog'))
  await page.getByRole('heading', { level: 2 }).first().getByRole('link').click()
  await expect(page).toHaveURL(/\/feedback\/blog\/[a-z-]+$/)
  await page.goto(at('/api/docs'))
  await expect(page.getByText('API keys').first()).toBeVisible()
  expect(problems).toEqual([])
  expect(strays.filter((each) => !each.endsWith('/favicon.ico'))).toEqual([])
})

test('from sign-up to a picture in the inbox, every request is below the path', async ({ page, browser }) => {
  test.setTimeout(180_000)
  const problems = collectProblems(page)
  const email = 'ada@example.com'
  await page.goto(at('/register'))
  await page.getByLabel('Full name').fill('Ada Lovelace')
  await page.getByLabel('Organisation').fill('Analytical Engines')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('form button[type=submit]').click()
  await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
  const mail = await product.mails.waitForMail(email, { subject: /^Confirm/ })
  const link = mail.links.find((each) => each.includes('/verify')) ?? ''
  expect(link).toContain(at('/auth/v1/verify'))
  await page.goto(link)
  await expect(page).toHaveURL(/\/feedback\/dashboard/)
  await expect(page.getByText('Getting started')).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click()
  await expect(page).toHaveURL(at('/dashboard/projects'))
  await page.goto(at('/dashboard/projects/new'))
  await page.getByLabel('Name').fill('Northwind')
  await page.getByLabel('Domain').fill('https://www.northwind.example/chairs')
  await page.getByRole('button', { name: /create project/i }).click()
  const guide = page.getByRole('dialog')
  snippet = (await guide.locator('code').first().textContent()) ?? ''
  expect(snippet).toContain(`src="${at('/e/wk_')}`)

  const visitor = await visit(browser, website.addressAt('www.northwind.example'))
  await expect(guide).toContainText('Widget detected', { timeout: 20_000 })
  await visitor.open()
  await visitor.page.keyboard.type('The drawer on the oak table jams.', { delay: 30 })
  await visitor.takePicture()
  await visitor.send()
  await visitor.leave()

  await page.goto(at('/dashboard/feedback'))
  const item = page.getByRole('region', { name: 'Item', exact: true })
  await expect(item).toContainText('The drawer on the oak table jams.')
  const picture = item.getByRole('img').first()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await page.reload()
  await expect(item).toContainText('The drawer on the oak table jams.')

  const projectId = /projects\/([0-9a-f-]{36})/.exec(await findProjectLink(page))?.[1] ?? ''
  const screens: readonly (readonly [string, string | RegExp])[] = [
    ['/dashboard', /^Hello, /],
    [`/dashboard/projects/${projectId}`, 'Northwind'],
    [`/dashboard/projects/${projectId}/edit`, 'Northwind'],
    [`/dashboard/projects/${projectId}/widget`, 'Northwind'],
    ['/dashboard/analytics', 'Analytics'],
    ['/dashboard/integrations', 'Integrations'],
    ['/dashboard/documentation', 'Documentation'],
    ['/dashboard/contact', 'Contact'],
    ['/dashboard/organization', 'Organisation'],
    ['/dashboard/settings', 'Settings'],
    ['/dashboard/settings/billing', 'Settings'],
    ['/test-feedback', 'Test the widget'],
    ['/dashboard/superadmin', 'Superadmin'],
    ['/dashboard/superadmin/widget-test', 'Superadmin'],
  ]
  for (const [path, heading] of screens) {
    await expectHeading(page, path, heading)
    expect(await listLostAddresses(page), path).toEqual([])
  }
  // A guide in the dashboard, its links, and back by the browser.
  await page.goto(at('/dashboard/documentation/quick-start'))
  await page.locator('.docs-reader a[href*="/dashboard/documentation/"]').first().click()
  await expect(page).toHaveURL(/\/feedback\/dashboard\/documentation\/(?!quick-start)/)
  await page.goBack()
  await expect(page).toHaveURL(at('/dashboard/documentation/quick-start'))

  // Signed out, a screen leads to the form of sign-in and back.
  await page.evaluate(() => localStorage.clear())
  await page.goto(at('/dashboard/analytics'))
  await expect(page).toHaveURL(/\/feedback\/login\?redirect=%2Fdashboard%2Fanalytics/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(at('/dashboard/analytics'))
  const cookies = await page.context().cookies(at('/'))
  expect(cookies.map(({ name, path }) => [name, path])).toEqual([['earshot-device', `${basePath}/`]])

  expect(problems).toEqual([])
  expect(strays.filter((each) => !each.endsWith('/favicon.ico'))).toEqual([])
})

async function findProjectLink(page: Page): Promise<string> {
  await page.goto(at('/dashboard/projects'))
  return (
    (await page
      .getByRole('link', { name: /Northwind/ })
      .first()
      .getAttribute('href')) ?? ''
  )
}

test('Google sign-in returns below the path', async ({ page }) => {
  await page.goto(at('/login'))
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: /ada@example\.com/ }).click()
  await expect(page).toHaveURL(/\/feedback\/dashboard/)
  expect(strays.filter((each) => !each.endsWith('/favicon.ico'))).toEqual([])
})

test('agents find the authorisation server of a path', async ({ request }) => {
  const refused = await request.post(at('/mcp'))
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers()['www-authenticate'] ?? '') ?? []
  expect(metadata).toBe(at('/.well-known/oauth-protected-resource/mcp'))
  const resource = await (await request.get(metadata)).json()
  expect(resource.authorization_servers).toEqual([at('')])
  // The host's proxy passes this one address on as well; here the process is asked itself.
  const server = await (await request.get(`${product.url}/.well-known/oauth-authorization-server${basePath}`)).json()
  expect(server.issuer).toBe(at(''))
  expect(server.token_endpoint).toBe(at('/oauth/token'))
})
