import { createHash } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import type { Outcome, Progress, TransportModule, Upload } from '#widget/loader/modules.ts'
import type { Stage } from '#widget/loader/stage.ts'
import type { Host } from '../host.ts'

declare global {
  interface Window {
    lab: {
      transport: TransportModule
      stage: Stage
      news: [string, Outcome | Progress][]
      uploads: Record<string, Upload>
      makeBytes(size: number, seed: number): Blob
      /** A submission with files of these sizes, kept and delivered. */
      submit(message: string, sizes: readonly number[], onKept?: () => void): Promise<Outcome>
    }
  }
}

/** Bytes that never repeat, the same here and in the page. */
export function makeBytes(size: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let state = seed * 2654435761 + 1
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    bytes[index] = state >>> 24
  }
  return bytes
}

export const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A page of the site whose transport is driven by hand, as the panel does it. */
export async function openLab(target: Page | BrowserContext, host: Host, scenario = 'plain'): Promise<Page> {
  const page = 'newPage' in target ? await target.newPage() : target
  await page.goto(host.pageUrl(scenario))
  await enterLab(page, host)
  return page
}

async function enterLab(page: Page, host: Host): Promise<void> {
  const { settings, port } = host
  const base = `http://127.0.0.1:${port}/e/`
  await page.evaluate(
    async ({ base, settings, makeBytesCode }) => {
      const load = (name: string) => import(`${base}a/${settings.build}/${name}.js`)
      const transport = (await load('actions')) as TransportModule
      const rings = { console: [], network: [], routes: [] }
      const stage = { base, settings, load, rings, visitor: {}, metadata: {}, tags: [] } as unknown as Stage
      const make = new Function(`return ${makeBytesCode}`)() as (size: number, seed: number) => Uint8Array<ArrayBuffer>
      const lab: Window['lab'] = {
        transport,
        stage,
        news: [],
        uploads: {},
        makeBytes: (size, seed) => new Blob([make(size, seed)]),
        async submit(message, sizes, onKept) {
          const seed = Number(message.match(/\d+/)?.[0] ?? 0)
          const attachments = sizes.map((size, index) => {
            const name = `${message} ${index}.bin`
            const upload = transport.upload(stage, 'file', 'text/plain', name, lab.makeBytes(size, seed * 10 + index))
            return { id: upload.id, kind: 'file' as const, name }
          })
          const hex = (count: number) =>
            Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) =>
              byte.toString(16).padStart(2, '0'),
            ).join('')
          const time = Date.now().toString(16).padStart(12, '0')
          const id = `${time.slice(0, 8)}-${time.slice(8)}-7${hex(2).slice(1)}-8${hex(2).slice(1)}-${hex(6)}`
          const page = { url: location.href }
          await transport.keep(stage, { id, type: 'bug', message, page, ...(attachments[0] && { attachments }) })
          onKept?.()
          return transport.deliver(stage, id)
        },
      }
      transport.subscribe((id, news) => lab.news.push([id, news]))
      window.lab = lab
    },
    { base, settings, makeBytesCode: makeBytes.toString() },
  )
}

/** How many records are kept in the browser. */
export function countKept(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // Opening would make it, in a version of its own.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'earshot')) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('earshot')
      opening.onerror = reject
      opening.onsuccess = () => {
        const database = opening.result
        if (database.objectStoreNames.contains('kept')) {
          const counting = database.transaction('kept').objectStore('kept').count()
          counting.onsuccess = () => resolve(counting.result)
        } else resolve(0)
        // An open one would hold up the widget, if it wants another version.
        database.close()
      }
    })
  })
}
