import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { tabTo } from './tab-to.ts'
import { createTeam, test } from './team.ts'

const switcherOf = (page: Page) => page.getByRole('button', { name: /Switch organisation$/ })
const finderOf = (page: Page) => page.getByRole('combobox', { name: 'Find an organisation' })

/** A page of a new owner: the team that other tests share must stay in its own organisation. */
async function openOwner(browser: Browser, baseURL: string | undefined) {
  const team = await createTeam(browser)
  const context = await browser.newContext({ baseURL: baseURL ?? '', storageState: team.storageState })
  return { team, context, page: await context.newPage() }
}

test('someone works in several organisations, a tab each, and nothing of one shows in the other', async ({
  browser,
  baseURL,
}) => {
  const { team, context, page } = await openOwner(browser, baseURL)
  const project = await team.makeProject('Northwind')
  const item = await project.send('Only the first team may read this.')
  const second = `Bar & Söhne ${randomUUID().slice(0, 8)}`
  await page.goto(project.inbox)
  await expect(page.getByText('Only the first team may read this.').first()).toBeVisible()
  await expect(switcherOf(page)).toContainText(team.organizationName)

  // With the keyboard alone.
  await tabTo(page, switcherOf(page))
  await page.keyboard.press('Enter')
  await expect(finderOf(page)).toBeFocused()
  const own = page.getByRole('option', { name: new RegExp(`${team.organizationName}.*Owner`) })
  await expect(own).toBeVisible()
  const isOnTop = (option: HTMLElement) => {
    const { right, top, height } = option.getBoundingClientRect()
    return option.contains(document.elementFromPoint(right - 4, top + height / 2))
  }
  expect(await own.evaluate(isOnTop), 'no part of the page covers the list').toBe(true)
  await page.keyboard.press('Escape')
  await expect(switcherOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(finderOf(page)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create an organisation' })
  await expect(dialog.getByLabel('Organisation name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await expectGoodLooks(page)
  await page.keyboard.type(second)
  await page.keyboard.press('Enter')
  await expect(switcherOf(page)).toContainText(second)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/dashboard/feedback')
  await expect(page.getByRole('heading', { name: 'No feedback yet' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('Only the first team')
  await expect(page.getByRole('main')).not.toContainText(project.name)

  // A new tab begins with the latest; it switches by the palette, and the first tab stays, also over a reload.
  const other = await context.newPage()
  await other.goto('/dashboard/feedback')
  await expect(switcherOf(other)).toContainText(second)
  await other.keyboard.press('ControlOrMeta+k')
  await other.getByRole('combobox', { name: 'Search or run a command' }).fill(team.organizationName)
  await other.getByRole('option', { name: `${team.organizationName} Switch organisation` }).click()
  await expect(switcherOf(other)).toContainText(team.organizationName)
  await expect(other.getByText('Only the first team may read this.').first()).toBeVisible()
  await page.reload()
  await expect(switcherOf(page)).toContainText(second)

  // A link into the other organisation opens it there.
  await page.goto(`/dashboard/feedback?item=${item}`)
  await expect(switcherOf(page)).toContainText(team.organizationName)
  await expect(page.getByText('Only the first team may read this.').first()).toBeVisible()
  await other.close()

  // Many of them are searched, also on a phone.
  await changeRows(
    `with made as (
       insert into organizations (name, slug)
       select case when n = 60 then 'Zeta Works' else 'Client ' || lpad(n::text, 2, '0') end, 'client-' || gen_random_uuid()
       from generate_series(1, 60) n returning id)
     insert into memberships (organization_id, user_id, role)
     select made.id, u.id, 'viewer' from made, auth.users u where u.email = $1`,
    [team.person.email],
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await switcherOf(page).click()
  await expect(page.getByRole('option', { name: /Client 01.*Viewer/ })).toBeVisible()
  await expect(page.getByText('The first 50 are shown. Type to find others.')).toBeVisible()
  await finderOf(page).fill('zeta')
  await expect(page.getByRole('option', { name: /Zeta Works/ })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(switcherOf(page)).toContainText('Zeta Works')
  await switcherOf(page).click()
  await finderOf(page).fill('client 0')
  await expect(page.getByRole('option')).toHaveCount(10)
  await expectGoodLooks(page)
  await context.close()
})

test('an owner deletes the organisation, restores it, and deletes it permanently', async ({ browser, baseURL }) => {
  test.slow()
  const { team, context, page } = await openOwner(browser, baseURL)
  const project = await team.makeProject('Shop')
  await project.send('It comes back.')
  const colleague = await team.openColleague('Charles Babbage')
  await colleague.goto(project.inbox)
  await expect(colleague.getByText('It comes back.').first()).toBeVisible()
  await colleague.goto('/dashboard/organization')
  await expect(colleague.getByRole('heading', { name: 'Organisation', level: 1 })).toBeVisible()
  await expect(colleague.getByRole('button', { name: 'Delete organisation' })).toBeHidden()
  await colleague.goto(project.inbox)
  await expect(colleague.getByText('It comes back.').first()).toBeVisible()

  await page.goto('/dashboard/organization')
  const section = page.getByRole('region', { name: 'Delete organisation' })
  await expectGoodLooks(page)
  await section.getByRole('button', { name: 'Export archive' }).click()
  await expect(page.getByRole('dialog', { name: 'Export feedback' })).toBeVisible()
  await page.keyboard.press('Escape')
  const askFor = async () => {
    await section.getByRole('button', { name: 'Delete organisation' }).click()
    return page.getByRole('dialog', { name: 'Delete this organisation?' })
  }
  const dialog = await askFor()
  await expect(dialog.getByText('1 project', { exact: true })).toBeVisible()
  await expect(dialog.getByText('1 item of feedback, with notes and replies')).toBeVisible()
  await expect(dialog.getByText('access for 2 members')).toBeVisible()
  await expect(dialog.getByLabel('Organisation name')).toBeFocused()
  const confirm = async (name: string, password: string) => {
    await dialog.getByLabel('Organisation name').fill(name)
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Delete organisation' }).click()
  }
  await confirm('Another', 'wrong')
  await expect(dialog.getByText('This doesn’t match the organisation’s name.')).toBeVisible()
  await expectGoodLooks(page)
  await confirm(team.organizationName, 'wrong')
  await expect(dialog.getByText('The password is not correct.')).toBeVisible()
  await confirm(team.organizationName, team.person.password)

  const closed = { name: `${team.organizationName} is closed`, level: 1 } as const
  await expect(page.getByRole('heading', closed)).toBeVisible()
  await expectGoodLooks(page)
  // The colleague's open tab learns of it, and whom to ask.
  await expect(colleague.getByRole('heading', closed)).toBeVisible()
  await expect(colleague.getByRole('link', { name: team.person.email })).toBeVisible()
  await expect(colleague.getByRole('button', { name: 'Restore organisation' })).toBeHidden()
  await expectGoodLooks(colleague)
  await colleague.reload()
  await expect(colleague.getByRole('heading', closed)).toBeVisible()

  await page.getByRole('button', { name: 'Restore organisation' }).click()
  await expect(section).toBeVisible()
  await page.goto('/dashboard/feedback')
  await expect(page.getByText('It comes back.').first()).toBeVisible()

  await page.goto('/dashboard/organization')
  await askFor()
  await confirm(team.organizationName, team.person.password)
  await expect(page.getByRole('heading', closed)).toBeVisible()
  await changeRows('update organizations set delete_after = now() where name = $1', [team.organizationName])
  await changeRows(`select app.enqueue_job('remove_closed_organizations', '{}') where $1 <> ''`, ['now'])
  await expect(async () => {
    await page.goto('/dashboard')
    await expect(page.getByText('No organization found. Please contact support.')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Create an organisation' }).click()
  await page.getByLabel('Organisation name').fill('Next Venture')
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await expect(switcherOf(page)).toContainText('Next Venture')
  await colleague.context().close()
  await context.close()
})
