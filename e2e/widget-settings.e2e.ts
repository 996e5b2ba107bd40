import type { Locator } from '@playwright/test'
import { type CustomerWebsite, startCustomerWebsite } from './customer-website.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { createTeam, signedOutState, test } from './team.ts'

async function expectApart(one: Locator, other: Locator): Promise<void> {
  const overlap = async () => {
    const [a, b] = [await one.boundingBox(), await other.boundingBox()]
    if (!a || !b) return 'not shown'
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  }
  await expect.poll(overlap).toBe(false)
}

const preview = 'iframe[title="Widget preview"]'

test.describe('the settings of a widget', () => {
  // Looking into the preview as well takes its time.
  test.setTimeout(120_000)
  let website: CustomerWebsite
  let snippet = ''
  test.beforeAll(async () => {
    website = await startCustomerWebsite(() => snippet)
  })
  test.afterAll(() => website.stop())

  test('drafted beside the real thing, published, and taken back', async ({ page, project, browser }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    const inside = page.frameLocator(preview)
    await expect(inside.getByRole('button', { name: 'Feedback' })).toBeVisible()
    await expectGoodLooks(page)

    // A draft: in the preview at once, on the website not at all.
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('searchbox', { name: 'Find' }).fill('Feedback')
    await page.getByRole('textbox', { name: 'Feedback', exact: true }).fill('Tell us')
    await expect(page.getByText('Draft saved')).toBeVisible()
    // In a window as narrow as the preview, the panel covers the button.
    await expect(inside.getByRole('button', { name: 'Feedback', exact: true })).toHaveCount(0)
    await inside.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(inside.getByRole('button', { name: 'Tell us' })).toBeVisible()
    await expect(page.getByText('Unpublished changes')).toBeVisible()
    await expectGoodLooks(page)

    await page.getByRole('tab', { name: 'Install' }).click()
    snippet = (await page.locator('code').filter({ hasText: '<script async' }).first().textContent()) ?? ''
    const context = await browser.newContext({ storageState: signedOutState })
    const visitor = await context.newPage()
    await visitor.goto(website.addressAt(project.domain))
    await expect(visitor.getByRole('button', { name: 'Feedback' })).toBeVisible()
    await expect(page.getByText('Widget detected')).toBeVisible({ timeout: 20_000 })
    await expectGoodLooks(page)

    // Published: on the website within five seconds.
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByText('Published', { exact: true })).toBeVisible()
    await expect(async () => {
      await visitor.reload()
      await expect(visitor.getByRole('button', { name: 'Tell us' })).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 8000 })

    // The message about it covers neither of the buttons for what comes next.
    const published = page.getByRole('region', { name: 'Notification' }).getByRole('listitem')
    for (const name of ['Publish', 'Undo publishing'])
      await expectApart(published, page.getByRole('button', { name, exact: true }))

    // Taken back: the words are a draft again.
    await published.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText('Unpublished changes')).toBeVisible()
    await expect(inside.getByRole('button', { name: 'Tell us' })).toBeVisible()
    await expect(async () => {
      await visitor.reload()
      await expect(visitor.getByRole('button', { name: 'Feedback' })).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 8000 })
    await context.close()
  })

  test('an incomplete field stays in the form and is not saved', async ({ page, project }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByRole('button', { name: 'Add a question' }).click()
    await expect(page.getByText('Draft saved')).toBeVisible()
    await page.getByLabel('Question', { exact: true }).fill('')
    await expect(page.getByText('Not saved: a field is incomplete')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
    await expectGoodLooks(page)
    await page.getByLabel('Question', { exact: true }).fill('Order number')
    await expect(page.getByText('Draft saved')).toBeVisible()
    await page.reload()
    await page.getByRole('tab', { name: 'Questions' }).click()
    await expect(page.getByLabel('Question', { exact: true })).toHaveValue('Order number')
    const inside = page.frameLocator(preview)
    await expect(inside.getByRole('textbox', { name: /Order number/ })).toBeVisible()
  })

  test('the panel is open beside its questions and texts, and leaves the focus to the field', async ({
    page,
    project,
  }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    const inside = page.frameLocator(preview)
    const panel = inside.getByRole('dialog')
    await expect(inside.getByRole('button', { name: 'Feedback' })).toBeVisible()
    await expect(panel).toHaveCount(0)
    await page.getByRole('tab', { name: 'Questions' }).click()
    await expect(panel).toBeVisible()

    await page.getByRole('tab', { name: 'Text' }).click()
    const title = page.getByRole('textbox', { name: 'Send us your feedback' })
    await title.click()
    await page.keyboard.type('Tell us')
    await expect(panel.getByRole('heading', { name: 'Tell us' })).toBeVisible()
    await page.keyboard.type(' everything')
    await expect(panel.getByRole('heading', { name: 'Tell us everything' })).toBeVisible()
    await expect(title).toBeFocused()
    await expect(title).toHaveValue('Tell us everything')

    // Closed by hand, it stays closed while the same settings are edited.
    await panel.getByRole('button', { name: 'Close' }).click()
    await title.fill('Your opinion')
    await expect(page.getByText('Draft saved')).toBeVisible()
    await expect(panel).toHaveCount(0)
    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByRole('tab', { name: 'Appearance' }).click()
    await page.getByRole('tab', { name: 'Text' }).click()
    await expect(panel.getByRole('heading', { name: 'Your opinion' })).toBeVisible()
    await page.getByRole('tab', { name: 'Appearance' }).click()
    await expect(panel).toHaveCount(0)
  })

  test('texts are grouped by place, counted and found', async ({ page, project }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    await page.getByRole('tab', { name: 'Text' }).click()
    const recording = page.getByRole('region', { name: 'Recording' })
    await expect(page.getByText(/^1\d\d texts$/)).toBeVisible()
    await page.getByRole('textbox', { name: 'Pause', exact: true }).fill('Hold on')
    await page.getByRole('searchbox', { name: 'Find' }).fill('recording microphone')
    await expect(page.getByText(/^\d of 1\d\d texts$/)).toBeVisible()
    await expect(recording.getByRole('textbox', { name: 'With microphone' })).toBeVisible()
    await expect(recording.getByRole('textbox', { name: 'Pause', exact: true })).toHaveCount(0)
    await page.getByRole('searchbox', { name: 'Find' }).fill('hold')
    await expect(recording.getByRole('textbox', { name: 'Pause', exact: true })).toHaveValue('Hold on')
    await page.getByRole('searchbox', { name: 'Find' }).fill('')
    await page.getByRole('checkbox', { name: /Changed only/ }).check()
    await expect(page.getByText(/^1 of 1\d\d texts$/)).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('searchbox', { name: 'Find' }).fill('nothing like this')
    await expect(page.getByText('No matching text.')).toBeVisible()
  })

  test('the button is placed on a miniature page, by arrow keys as well', async ({ page, project }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    const inside = page.frameLocator(preview)
    const launcher = inside.getByRole('button', { name: 'Feedback' })
    const places = page.getByRole('group', { name: 'Button position' })
    await expect(places.getByRole('radio', { name: 'Bottom right' })).toBeChecked()
    await places.getByRole('radio', { name: 'Bottom right' }).focus()
    await page.keyboard.press('ArrowUp')
    await expect(places.getByRole('radio', { name: 'Middle right' })).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(places.getByRole('radio', { name: 'Middle left' })).toBeChecked()
    await expect(page.getByText('Draft saved')).toBeVisible()
    await expect
      .poll(async () => (await launcher.evaluate((button) => button.getBoundingClientRect().left)) < 100)
      .toBe(true)
    await places.getByTitle('Top right').click()
    await expect(places.getByRole('radio', { name: 'Top right' })).toBeChecked()
  })

  test('a colour that is hard to see is said; every group of settings looks right', async ({ page, project }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    await page.getByLabel('Accent colour', { exact: true }).fill('#ffee00')
    await page.getByLabel('Accent colour', { exact: true }).press('Tab')
    await expect(page.getByText(/On a white page the button stands out little/)).toBeVisible()
    // It applies while it is typed, and what is no colour is refused with a reason.
    const field = page.getByLabel('Accent colour', { exact: true })
    await field.fill('#7c3aed')
    await expect(page.getByLabel('Pick the accent colour')).toHaveValue('#7c3aed')
    await field.fill('red')
    await field.press('Tab')
    await expect(page.getByText(/^Enter a colour as # and six digits/)).toBeVisible()
    await expect(page.getByLabel('Pick the accent colour')).toHaveValue('#7c3aed')
    await expectGoodLooks(page)
    await field.fill('#0f766e')
    await expect(page.getByText(/^Enter a colour as/)).toBeHidden()
    // The other groups are looked at above.
    for (const name of ['Attachments', 'Privacy']) {
      await page.getByRole('tab', { name }).click()
      await expectGoodLooks(page)
    }
  })

  test('a greeting and a team picture: in the preview, then removed', async ({ page, project }) => {
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    await page.getByLabel('Greeting').fill('Hello, we read every message.')
    await page.getByLabel('Team picture').setInputFiles({
      name: 'team.png',
      mimeType: 'image/png',
      // A picture of one pixel.
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        'base64',
      ),
    })
    await expect(page.getByRole('img', { name: 'Team' })).toBeVisible()
    await expect(page.getByText('Draft saved')).toBeVisible()
    await expectGoodLooks(page)
    const inside = page.frameLocator(preview)
    await inside.getByRole('button', { name: 'Feedback' }).click()
    await expect(inside.getByText('Hello, we read every message.')).toBeVisible()
    const picture = inside.locator('.head img')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)

    await page.getByLabel('Team picture').setInputFiles({
      name: 'team.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg/>'),
    })
    await expect(page.getByText('Select a PNG, JPEG, WebP, GIF or AVIF picture.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await expect(picture).toHaveCount(0)
    await expect(inside.getByText('Hello, we read every message.')).toBeVisible()
  })

  test('another organisation finds nothing', async ({ browser, project }) => {
    const other = await createTeam(browser)
    const context = await browser.newContext({ storageState: other.storageState })
    const page = await context.newPage()
    await page.goto(`/dashboard/projects/${project.id}/widget`)
    await expect(page.getByText('Project not found')).toBeVisible()
    await context.close()
  })

  test('the test page: the published widget, and what arrives from it', async ({ page, project }) => {
    await page.goto(`/test-feedback?project=${project.id}`)
    await expect(page.getByText('No test items yet.')).toBeVisible()
    await expectGoodLooks(page)
    await page.getByRole('button', { name: 'Open the panel' }).click()
    const panel = page.getByRole('dialog', { name: /^(Send us your feedback|Thank you)$/ })
    await panel.getByRole('textbox', { name: 'Your message' }).fill('Does it arrive?')
    await panel.getByRole('button', { name: 'Send feedback' }).click()
    await expect(panel.getByRole('heading', { name: /#1\b/ })).toBeVisible()
    await panel.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('link', { name: /#1 Does it arrive\?/ })).toBeVisible()
  })
})
