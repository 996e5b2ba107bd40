import { type Browser, chromium, type Request } from '@playwright/test'
import { type StorageState, signedOutState } from '../../e2e/accounts.ts'
import { findChromium } from '../../e2e/chromium.ts'

/** The screens of the dashboard by name, each with its address. `{project}`, `{item}` and `{visitor}` are of the organisation. */
export const screens: Readonly<Record<string, string>> = {
  dashboard: '/dashboard',
  inbox: '/dashboard/feedback',
  'inbox, one project': '/dashboard/feedback?project={project}',
  'inbox, an open item': '/dashboard/feedback?item={item}',
  projects: '/dashboard/projects',
  'new project': '/dashboard/projects/new',
  project: '/dashboard/projects/{project}',
  'project analytics': '/dashboard/projects/{project}/analytics',
  'project settings': '/dashboard/projects/{project}/edit',
  'widget settings': '/dashboard/projects/{project}/widget',
  'API keys': '/dashboard/projects/{project}/api-keys',
  analytics: '/dashboard/analytics',
  visitors: '/dashboard/visitors',
  visitor: '/dashboard/visitors/{visitor}',
  organisation: '/dashboard/organization',
  'audit log': '/dashboard/organization/audit',
  settings: '/dashboard/settings',
  'notification settings': '/dashboard/settings/notifications',
  storage: '/dashboard/settings/storage',
  'test page of the widget': '/test-feedback',
}

/** A read that a screen makes when it is opened. */
export interface ScreenRead {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Who asks. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const repeatedHeaders = ['authorization', 'apikey', 'content-type']

/** A screen has asked for everything after this long without a further request. */
const quietMs = 1500

/** Opens each screen in Chromium, as the person, and notes what it reads from the server. */
export async function recordReads(
  baseUrl: string,
  person: { email: string; password: string },
  addresses: Readonly<Record<string, string>>,
): Promise<Record<string, ScreenRead[]>> {
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }) })
  try {
    const storageState = await signInBrowser(browser, baseUrl, person)
    const reads: Record<string, ScreenRead[]> = {}
    for (const [name, address] of Object.entries(addresses)) {
      reads[name] = await recordScreen(browser, baseUrl + address, storageState)
    }
    return reads
  } finally {
    await browser.close()
  }
}

async function recordScreen(browser: Browser, address: string, storageState: StorageState): Promise<ScreenRead[]> {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const reads = new Map<string, ScreenRead>()
  let lastAt = performance.now()
  page.on('request', (request) => {
    const read = toRead(request)
    if (read === undefined) return
    lastAt = performance.now()
    reads.set(JSON.stringify(read), read)
  })
  await page.goto(address)
  // On a busy machine the first reads come late.
  const isBegun = () => [...reads.values()].some(({ path }) => path.startsWith('/api/v1/organizations/'))
  while (!isBegun() || performance.now() - lastAt < quietMs) await page.waitForTimeout(100)
  await context.close()
  return [...reads.values()]
}

/** Undefined for changes, files, and the stream of events, which has no end. */
function toRead(request: Request): ScreenRead | undefined {
  const { pathname, search } = new URL(request.url())
  const isCall = pathname.startsWith('/rest/v1/rpc/')
  const isRead = pathname.startsWith('/api/v1/') && request.method() === 'GET' && !pathname.endsWith('/events')
  if (request.method() === 'OPTIONS' || !(isCall || isRead)) return undefined
  const sent = Object.entries(request.headers()).filter(([name]) => repeatedHeaders.includes(name))
  return {
    method: request.method(),
    path: pathname + search,
    headers: Object.fromEntries(sent),
    body: request.postData() ?? undefined,
  }
}

/** A browser in which the person is signed in, through the form as a person does. */
async function signInBrowser(
  browser: Browser,
  baseUrl: string,
  { email, password }: { email: string; password: string },
): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: baseUrl, storageState: signedOutState })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/dashboard/)
  const storageState = await context.storageState()
  await context.close()
  return storageState
}
