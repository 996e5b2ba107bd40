import { expectGoodLooks } from './looks.ts'
import { expect, test } from './product.ts'
import { changeRows } from './product-database.ts'
import { tabTo } from './tab-to.ts'
import { test as teamTest } from './team.ts'

test('anyone writes to the operator by keyboard, is told what is missing, and can try again', async ({ page }) => {
  const name = `Ada ${Date.now()}`
  await page.goto('/contact')
  await expectGoodLooks(page)
  const send = page.getByRole('button', { name: 'Send message' })
  await tabTo(page, send)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByText('Enter your name.')).toBeVisible()
  await expect(page.getByText('Email address is required')).toBeVisible()
  await expectGoodLooks(page)
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type('ada@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Does it work with Vue?')
  // The answer is lost: the message has arrived all the same, and is stored once.
  let attempts = 0
  await page.route('**/api/v1/contact', async (route) => {
    attempts += 1
    if (attempts > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Network error. Please check your connection and try again.')
  await send.click()
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()
  await expectGoodLooks(page)
  expect(await changeRows('select id from contact_messages where name = $1', [name])).toBe(1)
  await page.getByRole('button', { name: 'Write another message' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('')
  await expect(page.getByLabel('Name')).toHaveValue(name)
})

teamTest('who is signed in writes with their name and address filled in', async ({ page, team }) => {
  await page.goto('/dashboard/contact')
  await expect(page.getByLabel('Email')).toHaveValue(team.person.email)
  await expect(page.getByLabel('Name')).toHaveValue(team.person.fullName)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Write a message.')).toBeVisible()
  await expectGoodLooks(page)
  await page.getByLabel('Topic').selectOption('Privacy and personal data')
  await page.getByLabel('Message').fill('Where is our data?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()
})
