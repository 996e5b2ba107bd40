import type { Browser, Locator, Page, Request } from '@playwright/test'
import { expect } from './product.ts'
import { test as base, createTeam, type Team, type TeamProject } from './team.ts'

/** People of this file alone: the projects of other tests would weigh in every screen's answers. */
const test = base.extend<object, { team: Team }>({
  team: [async ({ browser }, use) => use(await createTeam(browser)), { scope: 'worker' }],
})

/*
 * What a page loads before it can be used, with an empty cache: few requests, since each costs a round trip, few bytes,
 * and nothing that moves once it is shown. Sizes are those of the answers' bodies as they are sent, fonts included.
 */
interface Load {
  requests: number
  bytes: number
  /** How far content moved (cumulative layout shift). */
  shift: number
  /** Method and address of each call of the API. */
  calls: string[]
}

async function measureLoad(page: Page, path: string, shown: Locator): Promise<Load> {
  const requests: Request[] = []
  const waiting = new Set<Request>()
  page.on('request', (request) => {
    requests.push(request)
    if (!isStream(request)) waiting.add(request)
  })
  const finish = (request: Request) => void waiting.delete(request)
  page.on('requestfinished', finish)
  page.on('requestfailed', finish)
  await page.addInitScript(() => {
    // Code loaded while the page is idle is for the next press, and not part of the first load.
    window.requestIdleCallback = () => 0
    const moved = { shift: 0 }
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      // Layout shifts have these fields; the DOM's types do not know them.
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) moved.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(path)
  await expect(shown).toBeVisible()
  await expect.poll(() => [...waiting].map((each) => each.url())).toEqual([])
  const sizes = requests.filter((each) => !isStream(each)).map((each) => each.sizes())
  const bytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  const shift = await page.evaluate(() => (window as unknown as { moved: { shift: number } }).moved.shift)
  const calls = requests
    .map((each) => `${each.method()} ${new URL(each.url()).pathname}${new URL(each.url()).search}`)
    .filter((each) => /\/(api|rest|auth)\//.test(each))
  return { requests: requests.length, bytes, shift, calls }
}

const isStream = (request: Request) => request.url().endsWith('/events')

/** The browser knows the organisation and its logo from an earlier visit, as it does for anyone who comes back; its cache is empty. */
async function openReturning(browser: Browser, team: Team): Promise<Page> {
  const context = await browser.newContext({ storageState: team.storageState })
  const visit = await context.newPage()
  await visit.goto('/dashboard/settings')
  await expect(visit.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const listStored = () => visit.evaluate(() => Object.keys(localStorage))
  await expect.poll(listStored).toContainEqual(expect.stringMatching(/^earshot-logo-/))
  const storageState = await context.storageState()
  await context.close()
  return (await browser.newContext({ storageState })).newPage()
}

interface Budget {
  requests: number
  bytes: number
}

/** Shifts below a thousandth are those of single pixels. */
function expectWithin({ requests, bytes, shift, calls }: Load, budget: Budget): void {
  expect(requests).toBeLessThanOrEqual(budget.requests)
  expect(bytes).toBeLessThanOrEqual(budget.bytes)
  expect(shift).toBeCloseTo(0, 3)
  expect(calls, 'nothing is read twice').toEqual([...new Set(calls)])
}

test('the landing page loads in 10 requests of 45 kB, and nothing in it moves', async ({ page }) => {
  const load = await measureLoad(page, '/', page.getByRole('heading', { level: 1 }))
  expectWithin(load, { requests: 10, bytes: 45_000 })
})

interface Screen extends Budget {
  name: string
  path: (project: TeamProject) => string
  shown: (page: Page) => Locator
}

const message = 'Light as a feather'
const screens: Screen[] = [
  {
    name: 'dashboard',
    path: () => '/dashboard',
    shown: (page) => page.getByText(message).first(),
    requests: 28,
    bytes: 186_000,
  },
  {
    name: 'inbox',
    path: ({ inbox }) => inbox,
    shown: (page) => page.getByText(message),
    requests: 25,
    // Every address of the app is in a list that each page loads; the words of an item are there before its page is.
    bytes: 216_000,
  },
  {
    // With the first unread item open.
    name: 'open items',
    path: () => '/dashboard/feedback',
    shown: (page) => page.getByRole('region', { name: 'Item', exact: true }).getByRole('heading', { level: 2 }),
    requests: 44,
    bytes: 295_000,
  },
  {
    name: 'analytics',
    path: () => '/dashboard/analytics',
    shown: (page) => page.getByRole('heading', { name: 'Response times' }),
    requests: 29,
    bytes: 198_000,
  },
  {
    name: 'widget settings',
    path: ({ id }) => `/dashboard/projects/${id}/widget`,
    shown: (page) => page.getByRole('tab', { name: 'Appearance' }),
    requests: 32,
    bytes: 240_000,
  },
]

for (const { name, path, shown, ...budget } of screens) {
  const { requests, bytes } = budget
  test(`${name}: loads in ${requests} requests of ${bytes / 1000} kB, reads nothing twice, and nothing moves`, async ({
    browser,
    team,
    project,
  }) => {
    await project.send(message)
    const page = await openReturning(browser, team)
    expectWithin(await measureLoad(page, path(project), shown(page)), budget)
    await page.context().close()
  })
}
