import { expect, type Page } from '@playwright/test'
import type { PanelSettings } from '#contract/widget-settings.ts'
import type { Host } from '../host.ts'

/** Every kind of question there is. */
export const everyField: Partial<PanelSettings> = {
  rating: 'nps',
  name: 'optional',
  email: 'required',
  fields: [
    { id: 'plan', kind: 'select', label: 'Your plan', required: true, options: ['Free', 'Pro'] },
    { id: 'room', kind: 'text', label: 'Room number', required: false },
    { id: 'call', kind: 'checkbox', label: 'You may call me back', required: false },
  ],
  consent: { text: 'I agree that my message is kept as the privacy notice says.', required: true },
  contactEmail: 'help@example.test',
}

const item = { type: 'bug', status: 'in_progress', createdAt: '2026-11-18T10:00:00Z' } as const
const reply = { id: '018f0000-0000-7000-8000-000000000002', authorName: 'Mia', createdAt: item.createdAt }

/**
 * Walks through the states of the panel, in any language, and lets `check` look at each.
 * The page must be allowed to use a microphone.
 */
export async function visitStates(page: Page, host: Host, check: (state: string) => Promise<void>): Promise<void> {
  const send = page.locator('form .main')
  const message = page.locator('textarea')
  const heading = page.locator('h3')
  await page.goto(host.pageUrl('looks'))
  await page.evaluate(() => localStorage.setItem('earshot.visitor', 'A'.repeat(22)))
  await expect(page.locator('.go')).toBeVisible()
  await check('button')
  await page.locator('.go').click()
  await expect(message).toBeFocused()
  await check('form')

  await page.locator('.last').click()
  await expect(page.locator('.result')).toBeVisible()
  await check('items-empty')
  await page.locator('.head button').first().click()
  host.ownItems = [
    {
      ...item,
      id: '018f0000-0000-7000-8000-000000000001',
      number: 7,
      excerpt: 'The shelf page jumps.',
      refusedFiles: [],
      replies: [{ ...reply, text: 'We can see it too.' }],
    },
  ]
  await page.locator('.last').click()
  await expect(page.locator('.items')).toBeVisible()
  await check('items')
  await page.locator('.head button').first().click()

  await send.click()
  await check('errors')
  await message.fill('The shelf page jumps when I pick a size.\nIt happened twice, on the oak one.')
  await page.locator('[name=type]').first().check()
  await page.locator('[name=rating]').nth(2).check()
  await check('filled')

  await page.locator('.tools button').first().click()
  await expect(page.locator('.area')).toBeFocused()
  await page.locator('.bar [aria-expanded]').click()
  await check('editor')
  await page.locator('.bar p:first-child .main').click()
  await expect(page.locator('.tile')).toHaveCount(1)
  await page
    .locator('[type=file]')
    .setInputFiles([{ name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(3000) }])
  await expect(page.locator('.tile')).toHaveCount(2)
  await check('attachments')
  await page.locator('.tile').nth(1).locator('button').last().click()
  await check('removed')

  await page.locator('.tools button').nth(1).click()
  await expect(page.locator('.levels')).toBeVisible()
  await check('recording')
  await page.locator('.stop').click()
  await expect(page.locator('audio')).toBeVisible()
  await check('preview')

  host.replies.push({ status: 403, body: { title: 'This website is not allowed to send to this project.' } })
  await send.click()
  await expect(page.locator('.failure')).toBeVisible()
  await check('refused')
  await send.click()
  await expect(heading).toBeFocused()
  await check('sent')
  await page.locator('.actions .plain').click()
  await message.fill('Written on a train')
  await page.context().setOffline(true)
  await send.click()
  await expect(heading).toBeFocused()
  await check('offline')
  await page.context().setOffline(false)
}
