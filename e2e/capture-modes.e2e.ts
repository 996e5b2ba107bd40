import type { Locator } from '@playwright/test'
import type { Attachment } from '#contract/files.ts'
import { launchFirefox, launchWebKit } from '../bench/harness/other-browsers.ts'
import { startCustomerWebsite } from './customer-website.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'
import { recordingFlags, type Visitor, visit, writeSnippet } from './visitor.ts'

/*
 * One visitor uses everything there is to show what they mean, and the team sees, hears and watches it.
 */
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...recordingFlags] })
  },
})

/** A checkout page with three private values, each at its own position. */
const till = `<style>
  body { margin: 0; font: 16px sans-serif; background: #fff }
  #secrets > * { position: absolute; left: 40px; width: 300px; height: 40px; box-sizing: border-box; margin: 0 }
  #password { top: 100px } #card { top: 180px } #note { top: 260px; background: #ffd }
  footer { position: absolute; top: 700px }
</style>
<h1>Till</h1>
<div id="secrets">
  <input id="password" type="password" value="hunter2" aria-label="Password">
  <input id="card" autocomplete="cc-number" value="4111 1111 1111 1111" aria-label="Card number">
  <p id="note" data-earshot-mask>Customer 4711</p>
</div>
<x-map style="display: block; height: 40px"></x-map>
<footer>Northwind</footer>
<script>customElements.define('x-map', class extends HTMLElement { root = this.attachShadow({ mode: 'closed' }) })</script>`

const secrets = { password: [100, 140], card: [180, 220], note: [260, 300] } as const

/** Share of pixels of a picture that are of a colour, within left, top, right, bottom as parts of its size. */
function measure(picture: Locator, colour: 'black' | 'red', part: readonly [number, number, number, number]) {
  return picture.evaluate(
    async (element, [colour, [left, top, right, bottom]]) => {
      const image = element as HTMLImageElement
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(
        Math.round(left * width),
        Math.round(top * height),
        Math.round((right - left) * width),
        Math.round((bottom - top) * height),
      )
      let count = 0
      for (let at = 0; at < data.length; at += 4) {
        const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
        if (colour === 'black' ? r + g + b < 60 : r > 180 && g < 120 && b < 120) count += 1
      }
      return count / (data.length / 4)
    },
    [colour, part] as const,
  )
}

/** Draws on the picture that was just taken: an arrow to the footer, and a black box. Places are parts of its size. */
async function drawOn({ page, panel, press }: Visitor): Promise<void> {
  await press('Annotate')
  const editor = page.getByRole('dialog', { name: 'Annotate the screenshot' })
  const box = await editor.locator('canvas').boundingBox()
  if (!box) throw new Error('there is no picture')
  const drag = async (fromX: number, fromY: number, toX: number, toY: number) => {
    await page.mouse.move(box.x + box.width * fromX, box.y + box.height * fromY)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * toX, box.y + box.height * toY, { steps: 4 })
    await page.mouse.up()
  }
  await editor.getByRole('button', { name: 'Arrow', exact: true }).click()
  await drag(0.5, 0.5, 0.7, 0.6)
  await editor.getByRole('button', { name: 'Redact', exact: true }).click()
  await drag(0.5, 0.1, 0.7, 0.3)
  await editor.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(panel.getByRole('button', { name: 'Annotate' })).toBeVisible()
}

/** Drops a file on the panel, as from the desktop. */
async function drop({ panel }: Visitor, name: string, text: string): Promise<void> {
  await panel.getByRole('textbox', { name: 'Your message' }).evaluate(
    (element, [name, text]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name, { type: 'text/plain' }))
      element.dispatchEvent(new DragEvent('drop', { bubbles: true, composed: true, cancelable: true, dataTransfer }))
    },
    [name, text] as const,
  )
  await expect(panel.getByText(name)).toBeVisible()
}

test.describe('everything a visitor can attach', () => {
  test.describe.configure({ mode: 'serial', timeout: 150_000 })
  let recordings: Attachment[] = []

  test('is sent at once, and seen, heard and watched by the team', async ({ page, project, browser }) => {
    const website = await startCustomerWebsite(() => writeSnippet(project.widgetKey), till)
    const visitor = await visit(browser, website.url)
    await visitor.page.evaluate(() => {
      console.warn('The till is slow')
      return fetch('/prices?customer=4711')
    })
    await visitor.open()
    await visitor.write('The total is wrong, listen')
    await visitor.panel.getByRole('radio', { name: 'Bad', exact: true }).check({ force: true })
    await visitor.takePicture()
    await expect(visitor.panel.getByText('A closed part of the page couldn’t be captured.')).toBeVisible()
    await drawOn(visitor)
    await visitor.recordVoice(4000)
    await visitor.recordScreen(4000)
    await drop(visitor, 'receipt.txt', 'Oak chair 120.00')
    await visitor.send()
    await expect(visitor.panel.getByText('Your files have arrived.')).toBeVisible({ timeout: 30_000 })
    await visitor.leave()
    await website.stop()

    await page.goto(project.inbox)
    const row = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
    await expect(row).toHaveCount(1)
    for (const name of ['Screenshot', 'Voice note', 'Screen recording', 'File']) {
      await expect(row.getByRole('img', { name, exact: true })).toBeVisible()
    }
    await row.getByRole('link').click()
    const item = page.getByRole('region', { name: 'Item', exact: true })
    await expect(item.getByText('The total is wrong, listen')).toBeVisible()
    await expect(item.getByRole('heading', { name: '4 attachments' })).toBeVisible()
    await expect(item.getByText(/not ready yet/)).toHaveCount(0, { timeout: 60_000 })
    await expect(item.getByRole('img', { name: '2 of 5' })).toBeVisible()

    await test.step('the picture: what is private is black, what was drawn is there, what it lacks is named', async () => {
      await expect(item.getByText(/^Not in this picture.*: a closed part of the page\.$/)).toBeVisible()
      const picture = item.getByRole('img', { name: 'Screenshot' })
      for (const [top, bottom] of Object.values(secrets)) {
        const inside = [44 / 1280, (top + 4) / 800, 336 / 1280, (bottom - 4) / 800] as const
        expect(await measure(picture, 'black', inside)).toBe(1)
      }
      expect(await measure(picture, 'black', [0.51, 0.12, 0.69, 0.28])).toBe(1)
      expect(await measure(picture, 'red', [0.5, 0.48, 0.7, 0.62])).toBeGreaterThan(0.01)
      expect(await measure(picture, 'black', [0.75, 0.1, 0.99, 0.9])).toBe(0)
    })

    await test.step('the voice note: heard, sought in, faster', async () => {
      const note = item.getByRole('group', { name: 'Voice note' })
      const audio = note.locator('audio')
      const time = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime)
      // One bar for each loudness, twice: what was heard lies over all of it.
      const bars = await note.locator('svg[viewBox$=" 36"] path').first().getAttribute('d')
      expect(bars?.split('M').length).toBeGreaterThan(20)
      await note.getByRole('button', { name: 'Play' }).click()
      await expect.poll(time).toBeGreaterThan(0.3)
      await note.getByRole('button', { name: 'Pause' }).click()
      await note.getByRole('slider', { name: 'Position' }).fill('3000')
      await expect.poll(time).toBeCloseTo(3, 0)
      await expect(note.getByText(/0:03 \/ 0:0[345]/)).toBeVisible()
      await note.getByRole('button', { name: 'Speed 1×' }).click()
      expect(await audio.evaluate((element: HTMLAudioElement) => element.playbackRate)).toBe(1.5)
    })

    await test.step('the recording: watched, and sought in', async () => {
      const video = item.locator('video')
      const read = () =>
        video.evaluate(({ duration, currentTime, videoWidth }: HTMLVideoElement) => ({
          ...{ duration, currentTime, videoWidth },
        }))
      await expect.poll(async () => (await read()).duration).toBeGreaterThanOrEqual(3)
      expect((await read()).duration).toBeLessThan(9)
      expect((await read()).videoWidth).toBeGreaterThan(600)
      await video.evaluate((element: HTMLVideoElement) => {
        element.muted = true
        element.currentTime = 2
        return element.play()
      })
      await expect.poll(async () => (await read()).currentTime).toBeGreaterThan(2.2)
    })

    await test.step('the file: byte for byte', async () => {
      const downloading = page.waitForEvent('download')
      await item.getByRole('link', { name: /receipt\.txt/ }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe('receipt.txt')
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toBe('Oak chair 120.00')
    })

    await test.step('what happened on the page before', async () => {
      await expect(item.getByText('The till is slow')).toBeVisible()
      await item.getByRole('tab', { name: /^Network/ }).click()
      await expect(item.getByText(/GET .*\/prices\s/)).toBeVisible()
      await expect(item.getByText(/customer=/)).toHaveCount(0)
      await item.getByRole('tab', { name: /^Pages/ }).click()
      await expect(item.getByRole('tabpanel').getByText(website.url)).toBeVisible()
    })
    await expectGoodLooks(page)

    const [listed] = await project.listItems()
    const { attachments } = (await project.getItem(listed?.id ?? '')) as unknown as { attachments: Attachment[] }
    recordings = attachments.filter(({ kind }) => kind === 'voice' || kind === 'screen')
  })

  for (const launch of [launchFirefox, launchWebKit]) {
    const name = launch.name.slice('launch'.length)
    test(`plays to its end in ${name}, where it is installed`, async () => {
      const other = await launch(1000, 700)
      if (!other) {
        test.info().annotations.push({ type: 'not checked', description: `${name} is not installed` })
        return
      }
      try {
        await other.open(`${process.env.EARSHOT_URL}/login`)
        for (const { kind, playbackUrl, url, durationMs } of recordings) {
          const played = await other.evaluate<{ duration: number; time: number; width: number; error: string }>(`
            new Promise((resolve) => {
              const player = document.createElement('video')
              const end = () => resolve({
                duration: player.duration,
                time: player.currentTime,
                width: player.videoWidth,
                error: player.error ? player.error.message || 'code ' + player.error.code : '',
              })
              player.onended = player.onerror = end
              setTimeout(end, 20000)
              player.muted = true
              player.src = ${JSON.stringify(playbackUrl ?? url)}
              player.play()
            })`)
          expect(played.error).toBe('')
          expect(played.time * 1000).toBeGreaterThan(3000)
          expect(Math.abs(played.duration * 1000 - (durationMs ?? 0))).toBeLessThan(500)
          expect(played.time).toBeCloseTo(played.duration, 0)
          expect(played.width > 600).toBe(kind === 'screen')
        }
      } finally {
        await other.close()
      }
    })
  }
})
