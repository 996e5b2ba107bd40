import type { Page } from '@playwright/test'
import { type CustomerWebsite, startCustomerWebsite } from './customer-website.ts'
import { watchHosts } from './hosts-asked.ts'
import { listBarriers } from './looks.ts'
import { expect, test } from './product.ts'

/*
 * What the product is for, on the real thing: an owner signs up and puts the snippet on a page; a visitor says
 * something; it stands in the inbox, live, and the team works it.
 */
let website: CustomerWebsite
let snippet = ''

test.beforeAll(async () => {
  website = await startCustomerWebsite(() => snippet)
})
test.afterAll(() => website.stop())

async function expectNoBarriers(page: Page): Promise<void> {
  // A page that is still loading has nothing to find.
  await expect(page.locator('h1').first()).toBeVisible()
  expect(await listBarriers(page)).toEqual([])
}

function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}

test('from sign-up to the first piece of feedback, answered', async ({ page, browser, baseURL, signUpByForm }) => {
  test.setTimeout(120_000)
  const othersOfOwner = watchHosts(page.context(), [baseURL])
  const problems = collectProblems(page)
  const person = await signUpByForm(page)
  await expect(page.getByText('Getting started')).toBeVisible()
  await expectNoBarriers(page)

  // The owner makes a project and finds the snippet.
  await page.goto('/dashboard/projects')
  await expectNoBarriers(page)
  await page
    .getByRole('link', { name: /create project|new project/i })
    .first()
    .click()
  await page.getByLabel('Name').fill('Northwind')
  await page.getByLabel('Domain').fill('https://www.northwind.example/chairs')
  await page.getByRole('button', { name: /create project/i }).click()
  const guide = page.getByRole('dialog')
  await expect(guide).toContainText('Waiting for the widget to load on your site…')
  await expectNoBarriers(page)
  snippet = (await guide.locator('code').first().textContent()) ?? ''
  expect(snippet).toMatch(/^<script async crossorigin src="http:\/\/[^"]+\/e\/wk_[A-Za-z0-9_-]{22}\.js"><\/script>$/)

  // A visitor opens the website; the guide notices.
  const visitorContext = await browser.newContext()
  const othersOfVisitor = watchHosts(visitorContext, [baseURL, website.addressAt('www.northwind.example')])
  const visitor = await visitorContext.newPage()
  const visitorProblems = collectProblems(visitor)
  await visitor.goto(website.addressAt('www.northwind.example'))
  await expect(guide).toContainText('Widget detected', { timeout: 20_000 })

  // A colleague's eyes are on the inbox.
  await page.goto('/dashboard/feedback')
  await expect(page.getByText('No feedback yet')).toBeVisible()
  await expectNoBarriers(page)

  // The visitor speaks, by keyboard alone.
  const launcher = visitor.getByRole('button', { name: 'Feedback' })
  await launcher.focus()
  await visitor.keyboard.press('Enter')
  const message = visitor.getByRole('dialog').getByRole('textbox').first()
  await expect(message).toBeFocused()
  // At the pace of a person: who is done in a moment is asked for a calculation.
  await visitor.keyboard.type('The drawer on the oak table jams.\nIt did so twice.', { delay: 30 })
  await visitor.getByRole('radio', { name: 'Bug' }).focus()
  await visitor.keyboard.press('Space')
  await visitor.getByRole('textbox', { name: /email/i }).fill('grace@example.org')
  const sentAt = performance.now()
  await visitor.getByRole('button', { name: 'Send feedback' }).press('Enter')
  await expect(visitor.getByText('Your feedback is #1.')).toBeVisible()

  // It appears without a reload.
  const row = page.getByRole('listitem').filter({
    hasText: 'The drawer on the oak table jams.',
  })
  await expect(row.first()).toBeVisible()
  console.log(`      on the colleague's screen ${Math.round(performance.now() - sentAt)} ms after Send`)

  // The team works it, by keyboard alone.
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toContainText('It did so twice.')
  await expect(page.getByText('grace@example.org').first()).toBeVisible()
  await expectNoBarriers(page)
  await page.keyboard.press('s')
  await page.getByRole('menuitemradio', { name: 'In progress' }).click()
  await page.keyboard.press('p')
  await page.getByRole('menuitemradio', { name: 'High' }).click()
  const history = page.getByRole('region', { name: 'History' })
  await expect(history).toContainText(`${person.fullName} changed status from New to In progress`)
  await expect(history).toContainText(`${person.fullName} set priority to High`)

  // Filters keep their state in the address; search finds it.
  await page.goto('/dashboard/feedback?status=in_progress&priority=high')
  await expect(row.first()).toBeVisible()
  await page.goto('/dashboard/feedback?status=new')
  await expect(page.getByText('No results')).toBeVisible()
  await page.goto('/dashboard/feedback')
  await expect(row.first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('drawer jam')
  await expect(row.first()).toBeVisible()

  expect(problems).toEqual([])
  expect([othersOfOwner(), othersOfVisitor()], 'hosts that the app and the widget asked').toEqual([[], []])
  expect(visitorProblems).toEqual([])
  // What watches would notice.
  await visitor.evaluate(() => fetch('http://elsewhere.example:9/').catch(() => undefined))
  expect(othersOfVisitor()).toEqual(['elsewhere.example:9'])
  await visitorContext.close()
})

test('a page that is not the project’s shows no button and sends nothing', async ({ page }) => {
  await page.goto(website.addressAt('elsewhere.example'))
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('button', { name: 'Feedback' })).toHaveCount(0)
})
