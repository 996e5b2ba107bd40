import { randomUUID } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import { type MailReader, readMails } from '#doubles/read-mails.ts'
import { createAccount, startSession, storeSession } from './accounts.ts'

/** A person who has an account, and how to sign in as them. */
type Person = { email: string; password: string; fullName: string; organizationName: string }

type Fixtures = {
  /** Emails sent by the product. */
  mails: MailReader
  /** Makes an account and opens the dashboard, signed in. Whatever the browser had stored is gone. */
  signUp(page: Page, wanted?: Partial<Person>): Promise<Person>
  /** Makes an account as a new user does: form, mail, link. Ends on the dashboard. */
  signUpByForm(page: Page, wanted?: Partial<Person>): Promise<Person>
  /** Signs in through the form. Ends on the dashboard. */
  signIn(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void>
}

function inventPerson(wanted: Partial<Person> = {}): Person {
  const id = randomUUID().slice(0, 8)
  return {
    email: `ada-${id}@example.com`,
    password: `pass-${id}-word`,
    fullName: 'Ada Lovelace',
    organizationName: `Analytical Engines ${id}`,
    ...wanted,
  }
}

/** Playwright's `test`, against the product that the global set-up has started. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  baseURL: async ({}, use) => use(readSetting('EARSHOT_URL')),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  mails: async ({}, use) => use(readMails(readSetting('EARSHOT_MAIL_URL'))),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  signUp: async ({}, use) => {
    await use(async (page, wanted) => {
      const person = inventPerson(wanted)
      await createAccount(person, { organization_name: person.organizationName, full_name: person.fullName })
      await page.context().setStorageState(storeSession(await startSession(person)))
      await page.goto('/dashboard')
      await expect(page.getByRole('button', { name: /Account menu/ })).toBeVisible()
      return person
    })
  },
  signUpByForm: async ({ mails }, use) => {
    await use(async (page, wanted) => {
      const person = inventPerson(wanted)
      await page.goto('/register')
      await page.getByLabel('Full name').fill(person.fullName)
      await page.getByLabel('Organisation').fill(person.organizationName)
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password', { exact: true }).fill(person.password)
      await page.locator('form button[type=submit]').click()
      await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
      const mail = await mails.waitForMail(person.email, { subject: /^Confirm/ })
      const link = mail.links.find((each) => each.includes('/verify'))
      if (!link) throw new Error(`No verification link in “${mail.subject}”: ${mail.links.join(' ')}`)
      await page.goto(link)
      await expect(page).toHaveURL(/\/dashboard/)
      return person
    })
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  signIn: async ({}, use) => {
    await use(async (page, { email, password }) => {
      await page.goto('/login')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.locator('form button[type=submit]').click()
      await expect(page).toHaveURL(/\/dashboard/)
    })
  },
})

export { expect }

function readSetting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run the tests through Playwright’s configuration.`)
  return value
}
