import type { Locator, Page } from '@playwright/test'
import { buildWidgetPolicy } from '#contract/widget-policy.ts'
import { countKept } from '../delivery/lab.ts'
import { expect, test } from '../fixtures.ts'

test.use({
  permissions: ['microphone'],
  launchOptions: async ({ launchOptions }, use) => {
    const args = ['--use-fake-device-for-media-stream', '--auto-accept-this-tab-capture']
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...args] })
  },
})

const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(1000, 'a') })

/** Puts files on the panel as a hand would, pasting or dropping. */
const bring = (page: Page, how: 'paste' | 'drop', name: string, bytes = 10) =>
  page.locator('.box').evaluate(
    (box, [type, name, bytes]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes).fill(97)], name, { type: 'text/plain' }))
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
  test('a screenshot with a mark takes four clicks, from the launcher on', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('looks'))
    let clicks = 0
    const click = async (target: Locator) => {
      clicks += 1
      await target.click()
    }
    await click(visitor.launcher)
    await click(visitor.panel.getByRole('button', { name: 'Screenshot' }))
    const editor = page.getByRole('dialog', { name: 'Annotate the screenshot' })
    await expect(editor.getByRole('application')).toBeFocused()
    clicks += 1
    await page.mouse.move(400, 400)
    await page.mouse.down()
    await page.mouse.move(600, 480, { steps: 3 })
    await page.mouse.up()
    await click(editor.getByRole('button', { name: 'Done' }))
    const card = visitor.panel.getByRole('listitem')
    await expect(card.getByRole('img', { name: 'Screenshot' })).toBeVisible()
    expect(clicks).toBe(4)
    await expect(card).toContainText(/\d:\d\d.* · \d+ kB/)

    await visitor.send.click()
    await visitor.seesReceipt()
    await expect(visitor.panel.getByText('Your files have arrived.')).toBeVisible()
    expect(host.received[0]?.attachments).toMatchObject([{ kind: 'screenshot', name: 'Screenshot' }])
    // Only what the visitor has seen last was ever uploaded.
    expect([...host.uploads.stored.keys()]).toEqual(host.received[0]?.attachments?.map(({ id }) => id))
  })

  test('another area is one click away in the editor, until there are marks', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('looks'))
    await page.evaluate(() => {
      document.body.style.height = '3000px'
    })
    await visitor.open()
    await visitor.panel.getByRole('button', { name: 'Screenshot' }).click()
    const editor = page.getByRole('dialog', { name: 'Annotate the screenshot' })
    await editor.getByRole('button', { name: 'Visible area' }).click()
    await editor.getByRole('button', { name: 'Whole page' }).click()
    const height = () => editor.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).height)
    await expect.poll(height).toBeGreaterThanOrEqual(3000)
    const opener = editor.getByRole('button', { name: 'Whole page' })
    await page.keyboard.press('Enter')
    await expect(opener).toBeDisabled()
    await editor.getByRole('button', { name: 'Undo' }).click()
    await expect(opener).toBeEnabled()
    await page.keyboard.press('Escape')
    await expect(editor).toHaveCount(0)
    await expect(visitor.panel.getByRole('listitem')).toHaveCount(0)
  })

  test('an attached picture is annotated again, and replaced', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('looks'))
    await visitor.write('Look here')
    await visitor.panel.getByRole('button', { name: 'Screenshot' }).click()
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Annotate' })).toBeFocused()
    const first = [...host.uploads.stored.keys()]
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Annotate' })).toBeFocused()
    await visitor.send.click()
    await visitor.seesReceipt()
    const [announced, ...more] = host.received[0]?.attachments ?? []
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

  test('a file that would not be kept is refused before it is sent, and a small one has its size', async ({
    page,
    host,
    visitor,
  }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    const { panel } = visitor
    const choose = panel.getByLabel('File', { exact: true })
    const program = Buffer.from([0x4d, 0x5a, 0x90, 0, 3])
    await choose.setInputFiles([
      { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'bad.exe', mimeType: 'application/x-msdownload', buffer: program },
    ])
    const why = 'bad.exe can’t be attached. Allowed: pictures, sound, video, PDF, ZIP and text.'
    await expect(panel.getByText(why)).toBeVisible()
    await expect(panel.getByRole('listitem')).toHaveCount(1)
    await expect(panel.getByRole('listitem')).toContainText(/small\.txt.* · 5 B$/)
    await expect.poll(() => host.uploads.stored.size).toBe(1)
  })

  test('the receipt says when the server does not keep a file', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.write('Look into this')
    const disguised = { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html>') }
    await visitor.panel.getByLabel('File', { exact: true }).setInputFiles([disguised])
    await visitor.send.click()
    await visitor.seesReceipt()
    await expect(visitor.panel.getByText('Your files have arrived.')).toBeVisible()
    const [id = ''] = host.stored.keys()
    const item = { number: 123, type: 'bug', status: 'new', excerpt: '', createdAt: '' } as const
    host.ownItems = [{ ...item, id, replies: [], refusedFiles: ['page.png'] }]
    await expect(visitor.panel.getByText('Not kept, because of its content: page.png')).toBeVisible()
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
    await expect(panel.getByRole('button', { name: 'Stop' })).toBeFocused()
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

  test('the screen: counted down, shrunk to a bar, stopped', async ({ page, host, visitor }) => {
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
    await expect(panel.getByRole('button')).toHaveText(['Stop', 'Pause', 'Discard'])
    await page.waitForTimeout(500)
    await panel.getByRole('button', { name: 'Stop' }).click()
    await expect(panel.locator('video')).toBeVisible()
    await expect(visitor.message).toHaveValue('Watch')
    await panel.getByRole('button', { name: 'Remove: Screen recording' }).click()
    await expect(panel.locator('video')).toHaveCount(0)
  })

  test('a voice note of a closed tab is offered again', async ({ page, host, visitor }) => {
    await page.goto(host.pageUrl('plain'))
    await visitor.open()
    await visitor.panel.getByRole('button', { name: 'Voice note' }).click()
    await expect(visitor.panel.getByRole('button', { name: 'Stop' })).toBeFocused()
    // Its first piece comes after two seconds; a busy browser keeps it later.
    await expect.poll(() => countKept(page)).toBeGreaterThan(1)
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

// Violations would be reported by the `complaints` fixture, which every test has.
test('the policy of the installation guide allows pictures, recordings and the replay', async ({
  page,
  host,
  visitor,
}) => {
  host.pageHeaders = {
    'content-security-policy': `default-src 'none'; ${buildWidgetPolicy(`http://127.0.0.1:${host.port}`)}`,
  }
  host.settings = { ...host.settings, replay: true }
  host.panelSettings = { ...host.panelSettings, replay: true }
  await page.goto(host.pageUrl('strict-csp'))
  await visitor.write('Everything at once')
  const { panel } = visitor
  await panel.getByRole('button', { name: 'Screenshot' }).click()
  await page.getByRole('dialog', { name: 'Annotate the screenshot' }).getByRole('button', { name: 'Done' }).click()
  const picture = panel.getByRole('img', { name: 'Screenshot' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await panel.getByRole('button', { name: 'Voice note' }).click()
  await expect(panel.getByRole('button', { name: 'Stop' })).toBeFocused()
  await page.waitForTimeout(600)
  await panel.getByRole('button', { name: 'Stop' }).click()
  const sound = panel.locator('audio')
  await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.readyState)).toBeGreaterThan(0)

  await panel.getByRole('checkbox', { name: 'Attach the last minute on this page' }).check()
  await panel.getByRole('button', { name: 'View' }).click()
  await expect(panel.locator('.stand > *').first()).toBeVisible()
  await visitor.send.click()
  await visitor.seesReceipt()
  await expect(panel.getByText('Your files have arrived.')).toBeVisible()
  expect(host.received[0]?.attachments?.map(({ kind }) => kind).sort()).toEqual(['replay', 'screenshot', 'voice'])
})

test('a file selected just before sending is sent, however slow its code loads', async ({ page, host, visitor }) => {
  await page.route(/\/tools\.js/, async (route) => {
    // Sent while the tools are still on their way.
    await visitor.send.click()
    await expect(visitor.panel.getByRole('button', { name: 'Sending' })).toBeVisible()
    await route.continue()
  })
  await page.goto(host.pageUrl('plain'))
  await visitor.write('With a file')
  await visitor.panel
    .getByLabel('File', { exact: true })
    .setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }])
  await visitor.seesReceipt()
  const [{ body } = { body: '{}' }] = host.stored.values()
  expect(JSON.parse(body)).toMatchObject({ attachments: [{ kind: 'file', name: 'a.txt' }] })
})
