import { randomUUID } from 'node:crypto'
import { expectGoodLooks } from '../looks.ts'
import { expect } from '../product.ts'
import { signedOutState, test } from '../team.ts'
import { findLink, signOut, toastOf } from './people.ts'

const createAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`

test.describe('an invitation', () => {
  test('adds a new person to this team, and to no other', async ({ browser, team, mails, baseURL }) => {
    const email = createAddress()
    await team.invite(email, 'viewer')
    const page = await (await browser.newContext({ storageState: signedOutState, baseURL: baseURL ?? '' })).newPage()
    const invitation = (await mails.waitForMail(email)).links.find((link) => link.includes('/accept-invitation/')) ?? ''
    await page.goto(invitation)
    await expect(page.getByRole('heading', { name: `Join ${team.organizationName}` })).toBeVisible()
    await expect(page.getByText(`${team.person.fullName} invites you`)).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Full name').fill('Katherine Johnson')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Email')).not.toBeEditable()
    await page.getByLabel('Password', { exact: true }).fill('orbits and figures')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
    await page.goto(findLink(await mails.waitForMail(email, { subject: /Confirm/ })))
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await expect(toastOf(page).getByText(`Welcome to ${team.organizationName}`, { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText(team.organizationName).first()).toBeVisible()

    await page.goto('/dashboard/projects/new')
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await expect(page.getByText("You don't have permission to access this page.")).toBeVisible()
    await page.goto(invitation)
    await expect(page.getByRole('heading', { name: 'This invitation was accepted' })).toBeVisible()
  })

  test('is for the invited person alone', async ({ browser, team, mails, signUpByForm, signIn, baseURL }) => {
    const email = createAddress()
    await team.invite(email, 'member')
    // A session of its own: signing out ends it on the server, and all tests here share the team's.
    const page = await (await browser.newContext({ storageState: signedOutState, baseURL: baseURL ?? '' })).newPage()
    await signIn(page, team.person)
    const invitation = (await mails.waitForMail(email)).links.find((link) => link.includes('/accept-invitation/')) ?? ''
    await page.goto(invitation)
    await expect(page.getByText(`you are signed in as ${team.person.email}`)).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('button', { name: 'Switch account' }).click()
    await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible()

    // A person with an account and an organisation of their own.
    const mail = await mails.waitForMail(email)
    const person = await signUpByForm(page, { email })
    await page.goto(mail.links.find((link) => link.includes('/accept-invitation/')) ?? '')
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await expect(toastOf(page).getByText(`Welcome to ${team.organizationName}`, { exact: true })).toBeVisible()
    await expect(page.getByText(team.organizationName).first()).toBeVisible()
    expect(person.email).toBe(email)
    await signOut(page)
  })

  test('with a made-up token is not found', async ({ page }) => {
    await page.goto(`/accept-invitation/${'x'.repeat(43)}`)
    await expect(page.getByRole('heading', { name: 'Invitation not found' })).toBeVisible()
    await expectGoodLooks(page)
  })
})
