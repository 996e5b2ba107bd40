import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

test.use({
  permissions: ['microphone'],
  launchOptions: async ({ launchOptions }, use) => {
    const args = ['--use-fake-device-for-media-stream', '--auto-accept-this-tab-capture']
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...args] })
  },
})

const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(1000) })

/** Puts files on the panel as a hand would, pasting or dropping. */
const bring = (page: Page, how: 'paste' | 'drop', name: string, bytes = 10) =>
  page.locator('.box').evaluate(
    (box, [type, name, bytes]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], name, { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...options, clipboardData: data })
          : new DragEvent(type, { ...options, dataTransfer: data })
      box.querySelector('textarea')?.dispatchEvent(event)
    },
    [how, name, bytes] as const,
  )

test.describe('attachments', () => {
  test('a screenshot is taken without asking, drawn on, and sent with the text', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('looks'))
    await visitor.write('Look here')
    await visitor.panel.getByRole('button', { name: 'Screenshot' }).click()
    await visitor.panel.getByRole('button', { name: 'Visible area' }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Annotate' })).toBeFocused()
    const first = [...host.uploads.stored.keys()]
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Annotate' })).toBeFocused()
    await visitor.send.click()
    await visitor.seesReceipt()
    await expect(visitor.panel.getByText('Your files have arrived.')).toBeVisible()
    const [announced, ...more] = host.received[0]?.attachments ?? []
    expect(announced).toMatchObject({ kind: 'screenshot', name: 'Screenshot' })
    expect(more).toEqual([])
    // The picture without the annotation is deleted.
    expect(first).not.toContain(announced?.id)
    expect(host.uploads.isComplete(announced?.id ?? '')).toBe(true)
  })

  test('files are selected, pasted and dropped; removed and restored', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    const { panel } = visitor
    await panel.getByLabel('File', { exact: true }).setInputFiles([file('chosen.txt')])
    await bring(page, 'paste', 'pasted.txt')
    await bring(page, 'drop', 'dropped.txt')
    await expect(panel.getByRole('listitem')).toHaveCount(3)
    await panel.getByRole('button', { name: 'Remove: pasted.txt' }).click()
    await expect(panel.getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('listitem')).toHaveCount(3)
    await panel.getByRole('button', { name: 'Remove: chosen.txt' }).click()
    await visitor.send.click()
    await visitor.seesReceipt()
    const attachments = host.received[0]?.attachments ?? []
    expect(attachments.map(({ name }) => name)).toEqual(['dropped.txt', 'pasted.txt'])
    await expect.poll(() => attachments.every(({ id }) => host.uploads.isComplete(id))).toBe(true)
  })

  test('says what is too large and too many', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    const choose = visitor.panel.getByLabel('File', { exact: true })
    await bring(page, 'drop', 'huge.txt', 25 * 1024 * 1024 + 1)
    await expect(visitor.panel.getByText('huge.txt is too large: at most 25 MB.')).toBeVisible()
    await choose.setInputFiles(Array.from({ length: 11 }, (_none, index) => file(`${index}.txt`)))
    await expect(visitor.panel.getByText('At most 10 files.')).toBeVisible()
    await expect(visitor.panel.getByRole('listitem')).toHaveCount(10)
  })

  test('are kept over closing and opening', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    await visitor.panel.getByLabel('File', { exact: true }).setInputFiles([file('kept.txt')])
    await expect(visitor.panel.getByRole('listitem')).toHaveCount(1)
    await visitor.panel.getByRole('button', { name: 'Close' }).click()
    await visitor.open()
    await expect(visitor.panel.getByText('kept.txt')).toBeVisible()
  })
})

test.describe('recording', () => {
  test('a voice note: paused, resumed, played, recorded again, sent', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Listen')
    const { panel } = visitor
    await panel.getByRole('button', { name: 'Voice note' }).click()
    await expect(panel.getByRole('button', { name: 'Stop' })).toBeFocused()
    await expect(panel.getByRole('status').filter({ hasText: 'Recording' })).toHaveCount(1)
    await panel.getByRole('button', { name: 'Pause' }).click()
    await expect(panel.getByRole('status').filter({ hasText: 'Paused' })).toHaveCount(1)
    await panel.getByRole('button', { name: 'Resume' }).click()
    await visitor.message.fill('Listen, written meanwhile')
    await page.waitForTimeout(600)
    await panel.getByRole('button', { name: 'Stop' }).click()
    await expect(panel.locator('audio')).toBeVisible()
    await panel.getByRole('button', { name: 'Record again' }).click()
    await page.waitForTimeout(600)
    // Sending ends it.
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]?.message).toBe('Listen, written meanwhile')
    const attachments = host.received[0]?.attachments ?? []
    expect(attachments).toHaveLength(1)
    expect(attachments[0]).toMatchObject({ kind: 'voice' })
    expect(attachments[0]?.durationMs).toBeGreaterThan(300)
  })

  test('the screen: counted down, shrunk to a bar, expanded, stopped', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('looks'))
    await visitor.write('Watch')
    const { panel } = visitor
    await panel.getByRole('button', { name: 'Screen recording' }).click()
    await panel.getByRole('checkbox', { name: 'With microphone' }).check()
    await panel.getByRole('button', { name: 'Start' }).click()
    await expect(panel.getByText('Starts in 3').first()).toBeVisible()
    await expect(visitor.message).toBeHidden()
    expect((await panel.boundingBox())?.height).toBeLessThan(160)
    await expect(panel.getByRole('button', { name: 'Stop' })).toBeFocused({ timeout: 8000 })
    await panel.getByRole('button', { name: 'Your message' }).click()
    await expect(visitor.message).toHaveValue('Watch')
    await page.waitForTimeout(500)
    await panel.getByRole('button', { name: 'Stop' }).click()
    await expect(panel.locator('video')).toBeVisible()
    await panel.getByRole('button', { name: 'Remove: Screen recording' }).click()
    await expect(panel.locator('video')).toHaveCount(0)
  })

  test('a voice note of a closed tab is offered again', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    await visitor.panel.getByRole('button', { name: 'Voice note' }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Stop' })).toBeFocused()
    await page.waitForTimeout(2600)
    await page.reload()
    await visitor.open()
    await expect(visitor.panel.getByText('A recording was interrupted.')).toBeVisible()
    await expect(visitor.panel.locator('audio')).toBeVisible()
    await visitor.send.click()
    await visitor.seesReceipt()
    expect(host.received[0]?.attachments).toMatchObject([{ kind: 'voice' }])
  })

  test('the screen: cancelled during the countdown', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('looks'))
    await visitor.open()
    await visitor.panel.getByRole('button', { name: 'Screen recording' }).click()
    await visitor.panel.getByRole('button', { name: 'Start' }).click()
    await visitor.panel.getByRole('button', { name: 'Cancel' }).click()
    await expect(visitor.message).toBeVisible()
    await expect(visitor.panel.getByRole('listitem')).toHaveCount(0)
  })
})

test('says that the microphone was denied', async ({ page, context, host, visitor }) => {
  await context.clearPermissions()
  await page.goto(host.pageUrl('plain'))
  await visitor.open()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await visitor.panel.getByRole('button', { name: 'Voice note' }).click()
  await expect(visitor.panel.getByText('The microphone is blocked for this site.')).toBeVisible()
})

test('says that a recording is empty, and lets the visitor record again', async ({ page, host, visitor }) => {
  await page.goto(host.pageUrl('plain'))
  await visitor.open()
  // A recorder that is out of breath: it ends without having given a byte.
  await page.evaluate(() => Object.defineProperty(MediaRecorder.prototype, 'ondataavailable', { set() {} }))
  const { panel } = visitor
  await panel.getByRole('button', { name: 'Voice note' }).click()
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText('Nothing was recorded.')).toBeVisible()
  await expect(panel.locator('audio')).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Voice note' })).toBeVisible()
})

test('the last minute is attached only on request, and can be viewed', async ({ page, host, visitor }) => {
  host.settings = { ...host.settings, replay: true }
  host.panelSettings = { ...host.panelSettings, replay: true }
  await page.goto(host.pageUrl('plain'))
  await expect.poll(() => host.requested.some((path) => path.endsWith('/replay.js'))).toBe(true)
  await page.locator('#search').fill('beans')
  await page.waitForTimeout(500)
  await visitor.write('It happened just now')
  const box = visitor.panel.getByRole('checkbox', { name: 'Attach the last minute on this page' })
  await box.check()
  await visitor.panel.getByRole('button', { name: 'View' }).click()
  await expect(visitor.panel.locator('.stand > *').first()).toBeVisible()
  await box.uncheck()
  await expect(visitor.panel.getByRole('button', { name: 'View' })).toHaveCount(0)
  await box.check()
  await visitor.send.click()
  await visitor.seesReceipt()
  expect(host.received[0]?.attachments).toMatchObject([{ kind: 'replay' }])
})
