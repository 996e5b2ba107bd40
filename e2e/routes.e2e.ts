import type { Browser, Page } from '@playwright/test'
import { storageKeys } from '#web/lib/storage.ts'
import { watchHosts } from './hosts-asked.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { superadminAreas } from './superadmin-areas.ts'
import { createTeam, signedOutState, type Team, test as teamTest } from './team.ts'

/* Every address of SPEC.md, section 2, as each role opens it. */
interface Place {
  readonly team: Team
  readonly projectId: string
}
const test = teamTest.extend<object, { place: Place }>({
  place: [
    async ({ browser }, use) => {
      const team = await createTeam(browser)
      // The first account of an instance runs it.
      await changeRows(
        'delete from app.superadmins where user_id in (select user_id from memberships where organization_id = $1)',
        [team.organizationId],
      )
      await use({ team, projectId: (await team.makeProject('Northwind')).id })
    },
    { scope: 'worker' },
  ],
  storageState: signedOutState,
})

interface Address {
  readonly path: string
  /** The heading of its screen. */
  readonly heading: string | RegExp
}

/** For anyone, signed in or not. */
const publicAddresses: readonly Address[] = [
  { path: '/', heading: 'Hear what your visitors have to say.' },
  { path: '/pricing', heading: 'Pricing' },
  { path: '/how-it-works', heading: 'How it works' },
  { path: '/about', heading: 'About Earshot' },
  { path: '/contact', heading: 'Contact' },
  { path: '/blog', heading: 'Blog' },
  { path: '/privacy', heading: 'Privacy policy' },
  { path: '/terms', heading: 'Terms of service' },
  { path: '/docs/guides/quick-start', heading: 'Quick start' },
  { path: '/plan-selection', heading: 'Plans' },
  { path: '/accept-invitation/no-such-invitation', heading: 'Invitation not found' },
]

/** For who is not signed in. */
const signedOutAddresses: readonly Address[] = [
  { path: '/login', heading: 'Welcome back' },
  { path: '/register', heading: 'Create your account' },
  { path: '/forgot-password', heading: 'Forgot your password?' },
  { path: '/reset-password', heading: 'Reset link required' },
]

type Access = 'all' | 'owner' | 'superadmin'

/** Inside the dashboard, and who may see it; everyone else sees Access Denied. */
const dashboardAddresses: readonly (Address & { access?: Access })[] = [
  { path: '/dashboard', heading: /^Hello, / },
  { path: '/dashboard/projects', heading: 'Projects' },
  { path: '/dashboard/projects/new', heading: 'New project', access: 'owner' },
  { path: '/dashboard/projects/:id', heading: 'Northwind' },
  { path: '/dashboard/projects/:id/analytics', heading: 'Northwind' },
  { path: '/dashboard/projects/:id/edit', heading: 'Northwind' },
  { path: '/dashboard/projects/:id/widget', heading: 'Northwind' },
  { path: '/dashboard/feedback', heading: 'Feedback' },
  { path: '/dashboard/analytics', heading: 'Analytics' },
  { path: '/dashboard/integrations', heading: 'Integrations' },
  { path: '/dashboard/documentation', heading: 'Documentation' },
  { path: '/dashboard/contact', heading: 'Contact' },
  { path: '/dashboard/organization', heading: 'Organisation' },
  { path: '/dashboard/team', heading: 'Organisation' },
  { path: '/dashboard/organizations', heading: 'Organisation' },
  { path: '/dashboard/settings', heading: 'Settings' },
  { path: '/dashboard/settings/billing', heading: 'Settings', access: 'owner' },
  { path: '/dashboard/debug-auth', heading: 'Debug auth' },
  { path: '/test-feedback', heading: 'Test the widget' },
  ...superadminAreas.map(
    ({ path }) => ({ path: `/dashboard/superadmin${path}`, heading: 'Superadmin', access: 'superadmin' }) as const,
  ),
]

async function expectScreen(page: Page, { path, heading }: Address): Promise<void> {
  await page.goto(path)
  const names = page.getByRole('heading', { level: 1 })
  await expect(names.filter({ hasText: heading }).first(), path).toBeVisible()
}

/** Someone of the team, signed in, with a role. */
async function openAs(role: 'owner' | 'admin' | 'member' | 'viewer' | 'superadmin', browser: Browser, { team }: Place) {
  if (role === 'owner') {
    return (await browser.newContext({ storageState: team.storageState })).newPage()
  }
  const email = `${role}-${team.organizationId.slice(-8)}@example.com`
  const page = await team.openColleague(`Ada ${role}`, email)
  const change =
    role === 'superadmin'
      ? `insert into app.superadmins (user_id) select id from auth.users where email = $1 on conflict do nothing`
      : `update memberships set role = '${role}' where user_id = (select id from auth.users where email = $1)`
  await changeRows(change, [email])
  return page
}

/** The overview stands in the menu by its own name. */
const menuName = (title: string) => (title === 'Superadmin' ? 'Overview' : title)

/** The status of an answer of the API to the person who is signed in on the page. */
function readAs(page: Page, path: string): Promise<number> {
  return page.evaluate(
    async ([address = '', key = '']) => {
      const { access_token } = JSON.parse(localStorage.getItem(key) ?? '{}')
      return (await fetch(address, { headers: { authorization: `Bearer ${access_token}` } })).status
    },
    [path, storageKeys.session],
  )
}

test('everyone reaches the public pages, and who is not signed in is asked to sign in', async ({ page, baseURL }) => {
  const others = watchHosts(page.context(), [baseURL])
  for (const address of [...publicAddresses, ...signedOutAddresses]) await expectScreen(page, address)
  for (const { path } of dashboardAddresses) {
    await page.goto(path.replace(':id', '0190c0de-0000-7000-8000-000000000000'))
    await expect(page, path).toHaveURL(/\/login(\?redirect=.+)?$/)
  }
  const health = await page.request.get('/health')
  expect([health.status(), await health.text()]).toEqual([200, 'OK'])
  await expectScreen(page, { path: '/no/such/page', heading: 'Page not found' })
  expect(others(), 'hosts that pages asked').toEqual([])
})

for (const role of ['owner', 'admin', 'member', 'viewer', 'superadmin'] as const) {
  test(`as ${role}: every screen that is theirs, and Access Denied for the others`, async ({
    browser,
    baseURL,
    place,
  }) => {
    const page = await openAs(role, browser, place)
    const others = watchHosts(page.context(), [baseURL])
    for (const address of publicAddresses) await expectScreen(page, address)
    for (const { path: pattern, heading, access = 'all' } of dashboardAddresses) {
      const path = pattern.replace(':id', place.projectId)
      const isTheirs = access === 'all' || role === 'superadmin' || role === access
      await expectScreen(page, { path, heading: isTheirs ? heading : 'Access Denied' })
    }
    await expectScreen(page, { path: '/dashboard/no-such-screen', heading: 'Page not found' })
    // The server decides, whatever a screen shows.
    for (const { path, title, read } of superadminAreas) {
      expect([path, await readAs(page, `/api/v1/superadmin${read}`)]).toEqual([path, role === 'superadmin' ? 200 : 403])
      if (role !== 'superadmin') continue
      await page.goto(`/dashboard/superadmin${path}`)
      await expect(page, path).toHaveTitle(`${title} · Earshot`)
      await expect(page.getByRole('link', { name: menuName(title), exact: true }).first(), path).toHaveAttribute(
        'aria-current',
        'page',
      )
    }
    expect(others(), 'hosts that screens asked').toEqual([])
    await page.context().close()
  })
}
