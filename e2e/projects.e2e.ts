import type { Locator, Page } from '@playwright/test'
import { expectGoodLooks, expectNoSidewaysScroll } from './looks.ts'
import { expect } from './product.ts'
import { tabTo } from './tab-to.ts'
import { createTeam, signedOutState, test } from './team.ts'

const createButton = (page: Page) => page.getByRole('button', { name: 'Create project' })

const settingsTab = (page: Page) =>
  page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' })

async function openSettings(page: Page): Promise<void> {
  await settingsTab(page).click()
  await expect(page.getByRole('heading', { name: 'Name and domain' })).toBeVisible()
}

/** A field's description, as screen readers announce it. */
async function expectFieldError(page: Page, label: string, text: string | RegExp): Promise<void> {
  const field = page.getByLabel(label)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(text)
  await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
}

/** All of the code is in view: nothing is beside its block. */
async function expectWrapped(code: Locator): Promise<void> {
  const readExcess = () => code.evaluate((block) => block.scrollWidth - block.clientWidth)
  await expect.poll(readExcess).toBe(0)
}

/** The dialog's tabs stay where they are, and a short guide makes a short dialog. */
async function expectNoVoid(guide: Locator): Promise<void> {
  const readPlace = async () => {
    const [dialog, tab] = [await guide.boundingBox(), await guide.getByRole('tab', { name: 'HTML' }).boundingBox()]
    return { height: dialog?.height ?? 0, tabTop: tab?.y }
  }
  const short = await readPlace()
  await guide.getByRole('tab', { name: 'Next.js' }).click()
  const tall = await readPlace()
  expect(tall.height).toBeGreaterThan(short.height + 100)
  expect(tall.tabTop).toBe(short.tabTop)
}

test('the first project of an organisation, and what the list says of it', async ({ browser }) => {
  const team = await createTeam(browser)
  const context = await browser.newContext({ storageState: team.storageState })
  const page = await context.newPage()
  await page.goto('/dashboard/projects')
  await expect(page.getByText('No projects yet')).toBeVisible()
  await expectGoodLooks(page)

  await page.getByRole('link', { name: 'New project' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Northwind Furniture')
  await page.keyboard.press('Tab')
  await page.keyboard.type('HTTPS://www.Northwind.example:8080/chairs?a=1#top')
  await page.keyboard.press('Enter')
  const guide = page.getByRole('dialog')
  await expect(guide).toContainText('Waiting for the widget to load on your site…')
  await guide.getByText('Does your site have a Content-Security-Policy?').click()
  const { origin } = new URL(page.url())
  await expect(guide.getByRole('region', { name: 'Content-Security-Policy' })).toHaveText(
    `script-src ${origin}; connect-src ${origin}; img-src blob: data:; media-src blob:`,
  )
  await expectGoodLooks(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectWrapped(guide.getByRole('region', { name: 'Code for HTML' }))
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectNoVoid(guide)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Northwind Furniture' })).toBeVisible()
  await expect(page.getByRole('link', { name: /northwind\.example/ })).toHaveAttribute(
    'href',
    'https://northwind.example',
  )
  await expectGoodLooks(page)

  await page.getByRole('link', { name: 'View feedback' }).click()
  await expect(page).toHaveURL(/\/dashboard\/feedback\?project=/)
  await page.goto('/dashboard/projects')
  await expect(page.getByRole('listitem').filter({ hasText: 'Northwind Furniture' })).toContainText('northwind.example')
  await expectGoodLooks(page)
  await context.close()
})

test('errors show at the field, and typed text stays', async ({ page, project }) => {
  await page.goto('/dashboard/projects/new')
  await createButton(page).click()
  await expectFieldError(page, 'Name', 'Give the project a name.')
  await expectFieldError(page, 'Domain', /Enter your website's domain/)
  await expect(page.getByLabel('Name')).toBeFocused()
  await expectGoodLooks(page)

  await page.getByLabel('Name').fill('The same shop again')
  await page.getByLabel('Domain').fill(`https://www.${project.domain}/shop`)
  await page.getByLabel('Domain').blur()
  await expect(page.getByLabel('Domain')).toHaveValue(`www.${project.domain}`)
  await createButton(page).click()
  await expectFieldError(page, 'Domain', 'Another project in this organisation already uses this domain.')
  await expect(page.getByLabel('Domain')).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveValue('The same shop again')

  await page.getByLabel('Domain').fill('bad_host!.com')
  await createButton(page).click()
  await expectFieldError(page, 'Domain', /^The domain /)
  await page.getByLabel('Domain').fill('shop')
  await createButton(page).click()
  await expectFieldError(page, 'Domain', /Did you mean shop\.com\?/)
  await page.getByLabel('Name').fill('x'.repeat(101))
  await createButton(page).click()
  await expectFieldError(page, 'Name', 'At most 100 characters.')
})

test('a project whose answer got lost is told, not made twice', async ({ page, project }) => {
  await page.goto('/dashboard/projects/new')
  await page.getByLabel('Name').fill('In the tunnel')
  await page.getByLabel('Domain').fill(`tunnel.${project.domain}`)
  let sent = 0
  await page.route('**/api/v1/organizations/*/projects', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent += 1
    return route.abort()
  })
  await createButton(page).click()
  await expect(page.getByText('Network error. Please check your connection and try again.')).toBeVisible()
  expect(sent).toBe(1)
  await page.unroute('**/api/v1/organizations/*/projects')
  await createButton(page).click()
  await expect(page.getByRole('dialog')).toContainText('Waiting for the widget to load on your site…')
})

test('hostile names are text', async ({ page, team }) => {
  const name = '<img src=x onerror=alert(1)> \u202eevil'
  const project = await team.makeProject(name)
  const endless = await team.makeProject('W'.repeat(100))
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [
    '/dashboard/projects',
    `/dashboard/projects/${project.id}`,
    `/dashboard/projects/${endless.id}`,
    endless.inbox,
  ]) {
    await page.goto(path)
    await expect(
      page
        .getByText(/W{20}|<img src=x onerror/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible()
    await expectNoSidewaysScroll(page)
  }
})

test('a project that is not there says so', async ({ page }) => {
  for (const id of ['01900000-0000-7000-8000-000000000000', 'nonsense']) {
    await page.goto(`/dashboard/projects/${id}`)
    await expect(page.getByText('Project not found')).toBeVisible()
  }
  await expectGoodLooks(page)
  await page.getByRole('link', { name: 'All projects' }).click()
  await expect(page).toHaveURL('/dashboard/projects')
})

test('members without the owner role can view projects but not create them', async ({ page, browser, signUp }) => {
  // There is no way into an organisation but making one, so the server's word on the role is changed on its way.
  const context = await browser.newContext({ storageState: signedOutState })
  const viewer = await context.newPage()
  await signUp(viewer)
  await viewer.route('**/rest/v1/rpc/get_user_*', async (route) => {
    const response = await route.fetch()
    const rows = (await response.json()) as Record<string, unknown>[]
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, membership_role: 'viewer' })) })
  })
  await viewer.goto('/dashboard/projects')
  await expect(viewer.getByText('Please ask the owner of your organisation to create one.')).toBeVisible()
  await expect(viewer.getByRole('link', { name: 'New project' })).toHaveCount(0)
  await viewer.goto('/dashboard/projects/new')
  await expect(viewer.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(viewer.getByText("You don't have permission to access this page.")).toBeVisible()
  await expect(viewer.getByLabel('Domain')).toHaveCount(0)
  await expectGoodLooks(viewer)
  await context.close()

  await page.goto('/dashboard/projects/new')
  await expect(page.getByLabel('Domain')).toBeVisible()
})

test('every part of a project is a tab with its own address', async ({ page, project }) => {
  const home = `/dashboard/projects/${project.id}`
  await page.goto(home)
  const tabs = page.getByRole('navigation', { name: 'Project' })
  const contents = [
    ['Widget', '/widget', page.getByRole('tab', { name: 'Appearance' })],
    ['Settings', '/edit', page.getByRole('heading', { name: 'Name and domain' })],
    ['Analytics', '/analytics', page.getByRole('heading', { name: 'Analytics' })],
    ['Overview', '', page.getByRole('heading', { name: 'Details' })],
  ] as const
  for (const [name, path, content] of contents) {
    await tabs.getByRole('link', { name }).click()
    await expect(page).toHaveURL(home + path)
    await expect(content).toBeVisible()
    await expect(tabs.locator('[aria-current="page"]')).toHaveText(name)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(project.name)
    await expect(page).toHaveTitle(`${name === 'Overview' ? '' : `${name} · `}${project.name} · Earshot`)
  }
})

test('a project is edited, archived, brought back, and keeps feedback for so long', async ({ page, project }) => {
  await page.goto(`/dashboard/projects/${project.id}`)
  await openSettings(page)
  await expectGoodLooks(page)
  await page.getByLabel('Name').fill('Northwind Chairs')
  await page.getByLabel('Domain', { exact: true }).fill(`https://chairs.${project.domain}/all`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Project saved', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Domain', { exact: true })).toHaveValue(`chairs.${project.domain}`)

  await page.getByRole('switch', { name: 'Delete old feedback' }).click()
  await page.getByLabel('Days to keep').fill('0')
  await expect(page.getByText('A whole number from 1 to 3650.')).toBeVisible()
  await page.getByLabel('Days to keep').fill('90')
  await expect(page.getByText('Nothing is older than 90 days today.')).toBeVisible()
  await expectGoodLooks(page)
  const emails = page.getByRole('switch', { name: 'Email visitors when their feedback is resolved' })
  await emails.click()
  await expect(page.getByText('Visitors are emailed about resolved feedback', { exact: true })).toBeVisible()
  await expect(emails).toBeChecked()
  await page.getByRole('button', { name: 'Save retention' }).click()
  await expect(page.getByText('Feedback is kept for 90 days', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Archive project' }).click()
  await expect(page.getByRole('heading', { name: 'This project is archived' })).toBeVisible()
  await page.goto('/dashboard/projects')
  await expect(page.getByRole('region', { name: 'Archived' })).toContainText('Northwind Chairs')
  await expectGoodLooks(page)
  await page.getByRole('link', { name: /Northwind Chairs/ }).click()
  await expect(page.getByText(/nothing new comes in/)).toBeVisible()
  await expect(page.getByText(/^Archived: your pages show no button/)).toBeVisible()
  await expect(page.getByText('90 days', { exact: true })).toBeVisible()
  await expectGoodLooks(page)
  await openSettings(page)
  await page.getByRole('button', { name: 'Unarchive project' }).click()
  await expect(page.getByRole('heading', { name: 'Archive this project' })).toBeVisible()
})

test('a pasted list of domains is shortened, and each wrong line is named', async ({ page, project }) => {
  await page.goto(`/dashboard/projects/${project.id}/edit`)
  const field = page.getByLabel('Additional domains')
  await field.fill('https://shop.example.com/cart?a=1, *.staging.example.net\nshop\n12345')
  await field.blur()
  await expect(field).toHaveValue('shop.example.com\nstaging.example.net\nshop\n12345')
  await page.getByRole('button', { name: 'Save domains' }).click()
  await expectFieldError(page, 'Additional domains', /Line 3, “shop”: Did you mean shop\.com\?/)
  await expectFieldError(page, 'Additional domains', /Line 4, “12345”: This is a number/)
  await expectGoodLooks(page)

  // What only the server knows to be wrong is named by line as well.
  await field.fill('shop.example.com\nbad_host!.example.com\n-a.example.com')
  await page.getByRole('button', { name: 'Save domains' }).click()
  await expectFieldError(page, 'Additional domains', /Line 2, “bad_host!\.example\.com”: A domain must be a host name/)
  await expectFieldError(page, 'Additional domains', /Line 3, “-a\.example\.com”/)
  await field.fill('https://shop.example.com/')
  await page.getByRole('button', { name: 'Save domains' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue('shop.example.com')
})

test('a project is deleted for everyone by typing its name', async ({ page, team, context }) => {
  const project = await team.makeProject('Short-lived')
  const item = await project.send('Goes with it.')
  const colleague = await context.newPage()
  await colleague.goto(`/dashboard/projects/${project.id}`)
  await expect(colleague.getByRole('heading', { name: 'Short-lived' })).toBeVisible()

  await page.goto(`/dashboard/projects/${project.id}/edit`)
  await page.getByRole('button', { name: 'Delete project' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 item of feedback')
  await expectGoodLooks(page)
  await dialog.getByRole('textbox').fill('short-lived')
  await expect(dialog.getByRole('button', { name: 'Delete permanently' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('Short-lived')
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page).toHaveURL('/dashboard/projects')
  await expect(page.getByText('Project deleted', { exact: true })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: project.domain })).toHaveCount(0)

  await colleague.reload()
  await expect(colleague.getByText('Project not found')).toBeVisible()
  await page.goto(`/dashboard/feedback?item=${item}`)
  await expect(page.getByText('Goes with it.')).toHaveCount(0)
})

test('a project is edited, archived, brought back and deleted with the keyboard alone', async ({ page, team }) => {
  const project = await team.makeProject('Keyboard only')
  await page.goto(`/dashboard/projects/${project.id}`)
  await tabTo(page, settingsTab(page))
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Settings · Keyboard only · Earshot')

  await tabTo(page, page.getByLabel('Name'))
  await page.keyboard.press('End')
  await page.keyboard.type(', renamed')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Project saved', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Settings · Keyboard only, renamed · Earshot')

  await tabTo(page, page.getByLabel('Additional domains'))
  await page.keyboard.type('staging.example.net')
  await tabTo(page, page.getByRole('button', { name: 'Save domains' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  await tabTo(page, page.getByRole('button', { name: 'Archive project' }))
  await page.keyboard.press('Space')
  await expect(page.getByRole('heading', { name: 'This project is archived' })).toBeVisible()
  const restore = page.getByRole('button', { name: 'Unarchive project' })
  await expect(restore).toBeEnabled()
  await tabTo(page, restore)
  await page.keyboard.press('Space')
  await expect(page.getByRole('heading', { name: 'Archive this project' })).toBeVisible()
  // Escape is the notice's as long as there is one.
  const notice = page.getByText('Project unarchived', { exact: true })
  await expect(notice).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(notice).toBeHidden()

  const opener = page.getByRole('button', { name: 'Delete project' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Keyboard only, renamed')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/projects')
  await expect(page.getByText('Project deleted', { exact: true })).toBeVisible()
})
