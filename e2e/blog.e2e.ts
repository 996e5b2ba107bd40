import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './superadmin.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const text = (page: Page) => page.getByRole('textbox', { name: 'Text, in Markdown' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

/** Creates a draft by the screen and opens it. */
async function createPost(page: Page, title: string): Promise<void> {
  await page.goto('/dashboard/superadmin/blog')
  await page.getByRole('button', { name: 'New post' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill(title)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
}

async function reload(page: Page): Promise<void> {
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
}

test('a superadmin writes a post, sees it as it will be, and publishes it; anyone reads it', async ({ page }) => {
  await page.goto('/dashboard/superadmin/blog')
  await expect(page.getByText('No posts yet')).toBeVisible()
  await expectGoodLooks(page)
  await createPost(page, 'Größer als gedacht')
  await text(page).fill('## What we *measured*\n\n<script>alert(1)</script>')
  await expect(preview(page).getByRole('heading', { name: 'What we measured' })).toBeVisible()
  await expect(preview(page).getByText('<script>alert(1)</script>')).toBeVisible()
  await expectGoodLooks(page)
  // At the cursor, by the button.
  await page.getByLabel('Picture', { exact: true }).setInputFiles({
    name: 'chart.png',
    mimeType: 'image/png',
    buffer: Buffer.from(png, 'base64'),
  })
  await expect(text(page)).toHaveValue(/!\[Describe the picture\]\(\/blog\/pictures\/[0-9a-f-]+\.png\)/)
  await expect(preview(page).getByRole('img', { name: 'Describe the picture' })).toBeVisible()

  await page.getByRole('radio', { name: 'Details' }).click()
  await expect(
    page.getByText('Made of the title when it is saved.').or(page.getByText('/blog/groesser-als-gedacht').first()),
  ).toBeVisible()
  await page.getByLabel('Summary').fill('A post about sizes.')
  await page.getByLabel('Tags').fill('widget, speed')
  await expectGoodLooks(page)
  await reload(page)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Größer als gedacht')

  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Published', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open page' })).toHaveAttribute('href', '/blog/groesser-als-gedacht')
  await page.goto('/blog/groesser-als-gedacht')
  await expect(page.getByRole('heading', { level: 1, name: 'Größer als gedacht' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What we measured' })).toBeVisible()
  await expect(page.getByText('widget, speed')).toBeVisible()
  await expectGoodLooks(page)
  expect(await (await page.request.get('/blog/rss.xml')).text()).toContain('<title>Größer als gedacht</title>')
  expect(await (await page.request.get('/sitemap.xml')).text()).toContain('/blog/groesser-als-gedacht')
})

test('changes of a published post wait for their writer, and a former address leads to the post', async ({ page }) => {
  await createPost(page, 'Moved twice')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Published', { exact: true })).toBeVisible()
  await text(page).fill('Second thoughts.')
  await expect(page.getByText('Not saved: readers see the last saved version')).toBeVisible()
  await page.getByRole('radio', { name: 'Details' }).click()
  await page.getByLabel('Slug').fill('moved-once')
  // By keyboard.
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.goto('/blog/moved-twice')
  await expect(page).toHaveURL(/\/blog\/moved-once$/)
  await expect(page.getByText('Second thoughts.')).toBeVisible()
})

test('a post is scheduled, taken back, deleted and restored', async ({ page }) => {
  await createPost(page, 'For later')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Publish on').fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(dialog.getByText('Enter a time in the future.')).toBeVisible()
  await expectGoodLooks(page)
  await dialog.getByLabel('Publish on').fill('2099-01-01T10:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Scheduled', { exact: true })).toBeVisible()
  expect((await page.request.get('/blog/for-later')).status()).toBe(404)
  await page.getByRole('button', { name: 'Cancel schedule' }).click()
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete post' }).click()
  await expect(page.getByText('This post is deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Restore as a draft' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('For later')
})

test('an earlier version is compared and restored', async ({ page }) => {
  await createPost(page, 'With a past')
  for (const words of ['First words.', 'Other words.']) {
    await text(page).fill(words)
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  }
  await page.getByRole('radio', { name: 'Versions' }).click()
  const versions = page.getByRole('list', { name: 'Versions' })
  await expect(versions.getByRole('button')).toHaveCount(3)
  await versions.getByRole('button').nth(1).click()
  const differences = page.getByRole('region', { name: 'Differences' })
  await expect(differences.getByRole('deletion')).toHaveText(/First words\./)
  await expect(differences.getByRole('insertion')).toHaveText(/Other words\./)
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(text(page)).toHaveValue('First words.')
})

test('no text is lost: without a network, after a reload, and beside another writer', async ({ page, context }) => {
  await createPost(page, 'Never lost')
  await page.route('**/api/v1/superadmin/blog/posts/*', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await text(page).fill('Written without a network.')
  await expect(page.getByText(/Your text is kept in this tab until it is saved\./)).toBeVisible()
  await page.reload()
  await expect(text(page)).toHaveValue('Written without a network.')

  // Meanwhile the same post is saved elsewhere.
  const other = await context.newPage()
  await other.goto(page.url())
  await text(other).fill('From the other window.')
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  await other.close()
  await page.unroute('**/api/v1/superadmin/blog/posts/*')
  await text(page).fill('Written without a network, and longer.')
  await expect(page.getByText(/Someone else saved this post while you were editing it/)).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'Versions' }).click()
  await expect(page.getByRole('list', { name: 'Versions' }).getByRole('button')).toHaveCount(3)
})
