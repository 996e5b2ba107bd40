import { expect, type Locator, type Page } from '@playwright/test'

/** The region of the toasts. */
export function toastOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Notification' })
}

/** The link of an email that signs in or confirms. @throws Error when it has none. */
export function findLink(mail: { subject: string; links: string[] }): string {
  const link = mail.links.find((each) => each.includes('/auth/v1/verify'))
  if (link === undefined) throw new Error(`“${mail.subject}” contains no link`)
  return link
}

/** Signs out by the account menu. Ends on the login page. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
}
