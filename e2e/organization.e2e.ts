import { type Browser, expect, type Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { createTeam, signedOutState, type Team, test } from './team.ts'

/*
 * The organisation's screen: its settings, members and invitations, as owners and others see it.
 */
async function openAsOwner(browser: Browser, team: Team): Promise<Page> {
  const page = await (await browser.newContext({ storageState: team.storageState })).newPage()
  await page.goto('/dashboard/organization')
  return page
}

const memberRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name })

test('an owner invites a list, and hands over a link', async ({ browser }) => {
  test.setTimeout(120_000)
  const team = await createTeam(browser)
  const page = await openAsOwner(browser, team)
  await expect(memberRow(page, 'Grace Hopper')).toContainText('You')

  await page.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  const list = dialog.getByLabel('Email addresses')
  await list.fill(Array.from({ length: 300 }, (_, n) => `guest-${n}@example.com`).join('\n'))
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog.getByRole('alert')).toContainText('300 entries. Invite at most 100 people at once.')
  const name = team.person.email.split('@')[0]
  const pasted = [`Ada <ada-${name}@example.com>`, `"Byron, A." <byron-${name}@example.com>; no-one`, team.person.email]
  await list.fill(pasted.join('\n'))
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByRole('button', { name: 'Send 4 invitations' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Line 2: no-one is not an email address.')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Remove this entry' }).click()
  await dialog.getByRole('button', { name: 'Send 3 invitations' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(`Line 3: ${team.person.email} is already a member.`)
  await dialog.getByRole('button', { name: 'Remove this entry' }).click()
  await dialog.getByRole('button', { name: 'Send 2 invitations' }).click()
  await expect(page.getByText('2 invitations sent', { exact: true })).toBeVisible()

  await page.getByRole('radio', { name: 'Invitations' }).click()
  const invitations = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem')
  await expect(invitations).toHaveCount(2)
  const ada = invitations.filter({ hasText: 'ada-' })
  await ada.getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByText(/^You can resend this invitation in \d+ s\.$/).first()).toBeVisible()
  await expectGoodLooks(page)
  await ada.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: 'Create link…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  const link = page.getByRole('dialog', { name: 'Invitation link' }).getByLabel('Link', { exact: true })
  const url = await link.inputValue()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Done' }).click()
  const guest = await (await browser.newContext({ storageState: signedOutState })).newPage()
  await guest.goto(url)
  await expect(guest.getByRole('heading', { name: `Join ${team.organizationName}` })).toBeVisible()

  await ada.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: 'Revoke invitation…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(invitations).toHaveCount(1)
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'This invitation was withdrawn' })).toBeVisible()
  await guest.context().close()
  await page.context().close()
})

test('an owner changes a role and removes a member, whose open tab says so within five seconds', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const team = await createTeam(browser)
  const page = await openAsOwner(browser, team)
  const colleague = await team.openColleague('Katherine Johnson')
  await page.reload()
  const row = memberRow(page, 'Katherine Johnson')
  await row.getByLabel('Role of Katherine Johnson').selectOption('viewer')
  await expect(page.getByText('Katherine Johnson: Viewer', { exact: true })).toBeVisible()

  // Who is no owner sees the members, and can only leave.
  await colleague.goto('/dashboard/team')
  await expect(memberRow(colleague, 'Katherine Johnson')).toContainText('Viewer')
  await expect(colleague.getByText(team.organizationName)).toHaveCount(2)
  await expect(colleague.getByRole('button', { name: 'Invite people' })).toHaveCount(0)
  await expect(colleague.getByRole('combobox')).toHaveCount(0)
  await expect(colleague.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await expectGoodLooks(colleague)

  await row.getByRole('button', { name: 'Actions for Katherine Johnson' }).click()
  await page.getByRole('menuitem', { name: 'Remove from organisation…' }).click()
  const question = page.getByRole('dialog', { name: 'Remove Katherine Johnson?' })
  await expect(question).toContainText('Items assigned to this person become unassigned.')
  await expectGoodLooks(page)
  await question.getByRole('button', { name: 'Remove member' }).click()
  await expect(colleague.getByRole('heading', { name: `You can no longer open ${team.organizationName}` })).toBeVisible(
    { timeout: 5000 },
  )
  await expect(colleague.getByText('ask one of its owners for an invitation')).toBeVisible()
  await expect(colleague.getByText('Grace')).toHaveCount(0)
  await expectGoodLooks(colleague)
  await page.getByRole('button', { name: 'Invite again' }).click()
  await expect(page.getByText('Invitation sent', { exact: true })).toBeVisible()

  // The only owner can't step down or leave.
  await page.getByLabel('Role of Grace Hopper').selectOption('viewer')
  await page.getByRole('dialog').getByRole('button', { name: 'Become viewer' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Make another member an owner first.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave organisation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave organisation' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Make another member an owner first.')
  await colleague.context().close()
  await page.context().close()
})

test('an owner changes name, slug and logo', async ({ browser }) => {
  const team = await createTeam(browser)
  const page = await openAsOwner(browser, team)
  const id = team.person.email.slice(6, 14)
  await page.getByLabel('Name', { exact: true }).fill('Bar & Söhne')
  await page.getByLabel('Slug').fill(`Bar & Söhne ${id}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Slug')).toHaveValue(`bar-soehne-${id}`)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar).toContainText('Bar & Söhne')

  const svg = {
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  }
  await page.getByLabel('Logo').setInputFiles(svg)
  await expect(page.getByRole('alert')).toHaveText('Select a PNG, JPEG, WebP, GIF or AVIF picture.')
  await page.getByLabel('Logo').setInputFiles('docs/images/inbox.png')
  await expect(sidebar.locator('img')).toHaveAttribute('src', /^\/api\/v1\/logos\//)
  await expectGoodLooks(page)
  await page.reload()
  await expect(sidebar.locator('img')).toBeVisible()
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await expect(sidebar.locator('img')).toHaveCount(0)

  const other = await createTeam(browser)
  const taken = await openAsOwner(browser, other)
  await taken.getByLabel('Slug').fill(`bar-soehne-${id}`)
  await taken.getByRole('button', { name: 'Save changes' }).click()
  await expect(taken.getByRole('alert')).toHaveText('This slug is already used by another organisation.')
  await taken.context().close()
  await page.context().close()
})
