import { createHash } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { Attachment } from '#contract/files.ts'
import type { Submission } from '#contract/widget.ts'
import type { TransportModule } from '#widget/loader/modules.ts'
import type { Stage } from '#widget/loader/stage.ts'
import { startCustomerWebsite } from './customer-website.ts'
import { startCuttingLine } from './cutting-line.ts'
import { expect } from './product.ts'
import { signedOutState, test } from './team.ts'

const megabyte = 1024 * 1024

for (const [how, chunkBytes] of [
  ['known as a whole', undefined],
  ['that comes in pieces, as a recording does,', 0.4 * megabyte],
] as const) {
  test(`a picture ${how} arrives byte for byte over a line that breaks again and again`, async ({
    project,
    browser,
  }) => {
    const productUrl = process.env.EARSHOT_URL ?? ''
    const line = await startCuttingLine(productUrl, 1.3 * megabyte, 3)
    const website = await startCustomerWebsite(() => '')
    const loader = await (await fetch(`${productUrl}/e/${project.widgetKey}.js`)).text()
    const build = loader.match(/"build":"([^"]+)"/)?.[1]
    const context = await browser.newContext({ storageState: signedOutState })
    const page = await context.newPage()
    await page.goto(website.url)

    const id = uuidV7()
    const sent = await page.evaluate(
      async ({ id, origin, build, key, chunkBytes }) => {
        const load = (name: string) => import(`${origin}/e/a/${build}/${name}.js`)
        const transport = (await load('actions')) as TransportModule
        const rings = { console: [], network: [], routes: [] }
        const stage = { base: `${origin}/e/`, settings: { key }, load, rings, visitor: {} } as unknown as Stage

        // Noise cannot be compressed: about 4 MB of PNG.
        const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 1200 })
        const pixels = new ImageData(1200, 1200)
        for (let at = 0; at < pixels.data.length; at += 65_536) {
          crypto.getRandomValues(pixels.data.subarray(at, at + 65_536) as unknown as Uint8Array<ArrayBuffer>)
        }
        for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255
        canvas.getContext('2d')?.putImageData(pixels, 0, 0)
        const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
        if (!picture) throw new Error('no picture')

        const whole = chunkBytes ? undefined : picture
        const upload = transport.upload(stage, 'screenshot', 'image/png', 'Screenshot', whole)
        for (let at = 0; chunkBytes && at < picture.size; at += chunkBytes) {
          upload.append(picture.slice(at, at + chunkBytes))
          await new Promise((resume) => setTimeout(resume, 100))
        }
        if (chunkBytes) upload.finish()
        const submission: Submission = {
          ...{ id, type: 'bug', message: 'The chairs overlap', page: { url: location.href } },
          attachments: [{ id: upload.id, kind: 'screenshot', name: 'Screenshot' }],
          context: await transport.readContext(stage),
        }
        await transport.keep(stage, submission)
        const outcome = await transport.deliver(stage, id)
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await picture.arrayBuffer()))
        return { outcome, size: picture.size, uploadId: upload.id, hash: Array.from(digest) }
      },
      { id, origin: line.url, build, key: project.widgetKey, chunkBytes },
    )
    expect(sent.outcome.kind).toBe('sent')
    expect(sent.size).toBeGreaterThan(3 * megabyte)

    const readAttachment = async () =>
      ((await project.getItem(id)) as unknown as { attachments: Attachment[] }).attachments[0]
    await expect.poll(async () => (await readAttachment())?.state, { timeout: 40_000 }).toBe('ready')
    const attachment = await readAttachment()
    expect(attachment).toMatchObject({ id: sent.uploadId, kind: 'screenshot', mime: 'image/png', bytes: sent.size })
    expect(attachment).toMatchObject({ width: 1200, height: 1200 })
    const served = await fetch(new URL(attachment?.url ?? '', productUrl))
    const hash = createHash('sha256')
      .update(Buffer.from(await served.arrayBuffer()))
      .digest()
    expect([...hash]).toEqual(sent.hash)
    expect(line.cuts).toBe(3)

    await context.close()
    await website.stop()
    await line.stop()
  })
}
