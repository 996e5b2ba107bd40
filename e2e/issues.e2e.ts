import type { Page } from '@playwright/test'
import { createEmulator, type Emulator } from 'emulate'
import { findFreePort } from '#doubles/free-port.ts'
import { holdAnswers } from './hold.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test as base, createTeam, type Team } from './team.ts'

const token = 'github_pat_of_the_journey'
const repository = 'octocat/website'

/** GitHub as its emulator answers, and people of this file alone: their inbox has a tracker. */
const test = base.extend<object, { team: Team; gitHub: Emulator }>({
  team: [async ({ browser }, use) => use(await createTeam(browser)), { scope: 'worker' }],
  gitHub: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const emulator = await createEmulator({
        service: 'github',
        port: await findFreePort(),
        seed: {
          tokens: { [token]: { login: 'octocat', scopes: ['repo'] } },
          github: {
            users: [{ login: 'octocat', name: 'The Octocat', email: 'octocat@example.com' }],
            repos: [{ owner: 'octocat', name: 'website', auto_init: true }],
          },
        },
      })
      await use(emulator)
      await emulator.close()
    },
    { scope: 'worker' },
  ],
})

async function askGitHub<T>(gitHub: Emulator, path: string, method: string, body?: object): Promise<T> {
  const reply = await fetch(`${gitHub.url}/repos/${repository}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`GitHub ${path}: ${reply.status} ${await reply.text()}`)
  // The emulator's answer.
  return (await reply.json()) as T
}

const section = (page: Page) => page.getByRole('region', { name: 'Issues', exact: true })
const rowOf = (page: Page, message: string) => page.locator('[data-item-id]').filter({ hasText: message })

/** How far content moved since the page was opened (cumulative layout shift). */
const readShift = (page: Page) => page.evaluate(() => (window as unknown as { moved: { shift: number } }).moved.shift)

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved = { shift: 0 }
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      // Layout shifts have these fields; the DOM's types do not know them.
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) moved.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

test('items get issues from the inbox, one or many, and list and item show what becomes of them', async ({
  page,
  project,
  team,
  gitHub,
}) => {
  test.setTimeout(120_000)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await watchShifts(page)
  await project.send('The lamp flickers')
  await project.send('The drawer sticks')
  const itemId = await project.send('The chair squeaks')

  // Without a tracker, nothing is shown or asked for.
  await page.goto(`${project.inbox}&item=${itemId}`)
  await expect(page.getByRole('region', { name: 'Details' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Similar items' })).toBeVisible()
  await expect(section(page)).toBeHidden()
  expect(asked.filter((path) => /\/(issues|integrations)$|issue-panel/.test(path))).toEqual([])

  const config = { repository, token, apiUrl: gitHub.url }
  const { id: integrationId, secret } = await team.connect({ type: 'github', config })
  // Everything that the section reads comes late, and nothing moves.
  const details = await holdAnswers(page, `**/feedback/${itemId}`, { times: 1 })
  const links = await holdAnswers(page, `**/feedback/${itemId}/issues`, { times: 1 })
  await page.reload()
  await expect(section(page)).toBeVisible()
  details.release()
  await links.came
  await expect(page.getByRole('region', { name: 'Similar items' })).toBeVisible()
  links.release()
  const create = section(page).getByRole('button', { name: 'Create issue in GitHub Issues' })
  await expect(create).toBeVisible()
  expect(await readShift(page)).toBeCloseTo(0, 3)
  await page.keyboard.press('i')
  await expect(create).toBeFocused()
  await page.keyboard.press('Enter')
  const link = section(page).getByRole('link')
  await expect(link).toHaveAccessibleName(/^octocat\/website#\d+ \(opens in a new tab\)$/)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toBeFocused()
  await expect(section(page)).toContainText('The chair squeaks')
  const issues = await askGitHub<{ number: number }[]>(gitHub, '/issues?state=all', 'GET')
  const number = issues[0]?.number ?? 0
  const row = rowOf(page, 'The chair squeaks')
  await expect(row.getByText(`Issue: ${repository}#${number}, Open`)).toBeAttached()
  await expect(create).toBeHidden()
  await expectGoodLooks(page)

  // What happens at GitHub shows by itself.
  await askGitHub(gitHub, '/hooks', 'POST', {
    events: ['issues'],
    config: {
      url: `${process.env.EARSHOT_URL}/api/v1/hooks/${team.organizationId}/${integrationId}`,
      content_type: 'json',
      secret,
    },
  })
  await askGitHub(gitHub, `/issues/${number}`, 'PATCH', { state: 'closed', state_reason: 'completed' })
  await expect(section(page).getByRole('img', { name: 'Done', exact: true })).toBeVisible()
  await expect(row.getByText(`Issue: ${repository}#${number}, Closed`)).toBeAttached()
  await expect.poll(() => project.getItem(itemId)).toMatchObject({ status: 'resolved' })

  // A link is removed, and comes back by an undo.
  const remove = section(page).getByRole('button', { name: `Remove link to ${repository}#${number}` })
  await remove.click()
  await expect(create).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(link).toBeVisible()
  await expect(create).toBeHidden()

  // The form of an existing issue says what is wrong at its field.
  await page.keyboard.press('j')
  await section(page).getByRole('button', { name: 'Link existing…' }).click()
  const field = page.getByRole('dialog').getByLabel('Issue', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('https://github.com/acme/secret/issues/1')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(/^This must be the address or the number of an issue/)).toBeVisible()
  await expectGoodLooks(page)
  await field.fill(`#${number}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(section(page).getByRole('img', { name: 'Done', exact: true })).toBeVisible()

  // Many at once: those that have an issue keep it.
  await page.keyboard.press('Escape')
  const bar = page.getByRole('region', { name: 'Selected items' })
  await rowOf(page, 'The lamp flickers').click({ modifiers: ['Shift'] })
  await bar.getByRole('button', { name: 'Select all 3 loaded' }).click()
  await page.keyboard.press('i')
  await expect(page.getByRole('menuitemradio', { name: 'GitHub Issues' })).toBeVisible()
  await page.keyboard.press('1')
  await expect(page.getByRole('dialog')).toContainText(`They are created in GitHub Issues, ${repository}.`)
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Create issues' }).click()
  await expect(page.getByText('Creating 1 issue in GitHub Issues').first()).toBeVisible()
  await expect(page.getByText('2 items already have an issue there.').first()).toBeVisible()
  await expect(rowOf(page, 'The lamp flickers').getByText(/^Issue: octocat\/website#\d+, Open$/)).toBeAttached()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Create or open issue')).toBeVisible()
})

test('issues of more than 100 items are created in several calls, and a failed issue says why', async ({
  page,
  project,
  team,
  gitHub,
}) => {
  await project.send('The sofa sags')
  await team.connect({ type: 'github', config: { repository, token, apiUrl: gitHub.url } })
  // Many items, without sending them all.
  await page.route('**/api/v1/organizations/*/feedback?*', async (route) => {
    const reply = await route.fetch()
    const { items, ...rest } = (await reply.json()) as { items: { number: number; issues: object[] }[] }
    const [first] = items
    const issues = [{ state: 'failed', label: null, status: null, isDone: false }]
    const many = Array.from({ length: 150 }, (_, index) => ({
      ...first,
      id: `019f7f00-0000-7000-8000-${String(index).padStart(12, '0')}`,
      number: 150 - index,
      issues: index === 0 ? issues : [],
    }))
    await route.fulfill({ json: { ...rest, items: many } })
  })
  const sent: number[] = []
  await page.route('**/integrations/*/issues', async (route) => {
    const { feedbackIds } = route.request().postDataJSON() as { feedbackIds: string[] }
    sent.push(feedbackIds.length)
    await route.fulfill({ status: 202, json: { created: feedbackIds.length - 1 } })
  })
  await page.goto(project.inbox)
  const failed = page.locator('[data-item-id]').filter({ hasText: '#150' })
  await expect(failed.getByText('Issue: couldn’t be created')).toBeAttached()
  await failed.click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Select all 150 loaded' }).click()
  await page.getByRole('button', { name: 'Create issue in…' }).click()
  await page.getByRole('menuitemradio').first().click()
  await page.getByRole('button', { name: 'Create issues' }).click()
  await expect(page.getByText('Creating 148 issues in GitHub Issues').first()).toBeVisible()
  await expect(page.getByText('2 items already have an issue there.').first()).toBeVisible()
  expect(sent).toEqual([100, 50])
})
