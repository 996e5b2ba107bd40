import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../../e2e/chromium.ts'
import type { RecordingOptions } from '../../loader/modules.ts'
import { serveBundles } from '../bundle-page.ts'

/** Devices that make a picture and a beep, and a browser that says yes when asked for its tab. */
export const deviceFlags = ['--use-fake-device-for-media-stream', '--auto-accept-this-tab-capture']

const drive = `
  window.tracks = []
  for (const method of ['getUserMedia', 'getDisplayMedia']) {
    const ask = navigator.mediaDevices[method].bind(navigator.mediaDevices)
    navigator.mediaDevices[method] = async (constraints) => {
      const stream = await ask(constraints)
      window.tracks.push(...stream.getTracks())
      return stream
    }
  }
  window.longestTaskMs = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTaskMs = Math.max(window.longestTaskMs, duration)
  }).observe({ type: 'longtask' })
  window.begin = async (kind, options) => {
    const run = { chunks: [], ticks: [], ended: undefined, order: [] }
    const startedAt = performance.now()
    window.run = run
    run.recording = await window.media.record(kind, {
      microphone: false,
      limitSeconds: 60,
      cover: [],
      ...options,
      onChunk: (blob) => {
        run.order.push('chunk')
        run.chunks.push({ atMs: performance.now() - startedAt, blob })
      },
      onTick: (seconds, level) => run.ticks.push({ seconds, level }),
      onEnd: (recorded) => {
        run.order.push('end')
        run.ended = recorded
      },
    })
    return { mime: run.recording.mime, microphone: run.recording.microphone }
  }
`

const page = `<!doctype html><title>Recorded page</title>
<h1>Something to look at</h1><p id="moving"></p>
<label>Password <input id="password" type="password" value="hunter2"></label>
<label>Card <input id="card" name="cardNumber" value="4000 0000 0000 0002"></label>
<p id="marked" data-earshot-mask>Marked <b>by the page</b></p><p id="named" class="account">Named by the project</p>
<script>let n = 0; setInterval(() => { moving.textContent = 'Frame ' + n++ }, 50)</script>
MODULES`

/** The result of a recording, measured in the browser that made it. */
export interface Outcome {
  readonly mime: string
  readonly durationMs: number
  readonly bytes: number
  /** The chunks, one after the other, are the recording byte for byte. */
  readonly chunksAreWhole: boolean
  readonly chunkTimesMs: number[]
  readonly order: string[]
  readonly ticks: { seconds: number; level: number }[]
  /** Length that a media element plays. */
  readonly playableSeconds: number
  readonly videoWidth: number
  readonly liveTracks: number
}

export interface RecorderPage {
  readonly page: Page
  readonly url: string
  /** Starts a recording; what happens is gathered in the page. */
  begin(kind: 'voice' | 'screen', options?: Partial<RecordingOptions>): Promise<{ mime: string; microphone: boolean }>
  call(method: 'pause' | 'resume' | 'stop' | 'discard'): Promise<void>
  extend(limitSeconds: number): Promise<void>
  /** Until the recording has ended, by whatever. */
  waitForEnd(): Promise<void>
  /** Waits for the end. */
  getOutcome(): Promise<Outcome>
  /** The whole recording. */
  getBytes(): Promise<Buffer>
  countLiveTracks(): Promise<number>
  close(): Promise<void>
}

/** Browsers of this process by their flags. */
const browsers = new Map<string, Promise<Browser>>()

function launch(flags: readonly string[]): Promise<Browser> {
  const key = flags.join(' ')
  const executablePath = findChromium()
  const browser =
    browsers.get(key) ??
    chromium.launch({ args: [...chromiumFlags, ...flags], ...(executablePath && { executablePath }) })
  browsers.set(key, browser)
  return browser
}

/** Closes every browser that pages were opened in. */
export async function closeRecorderBrowsers(): Promise<void> {
  const open = [...browsers.values()]
  browsers.clear()
  await Promise.all(open.map(async (browser) => (await browser).close()))
}

/** A page that can record, in a context of its own. */
export async function openRecorderPage(
  flags: readonly string[] = deviceFlags,
  context: BrowserContextOptions = { permissions: ['microphone'] },
): Promise<RecorderPage> {
  const policy = 'microphone=(), display-capture=()'
  const site = await serveBundles(
    { media: 'widget/media/media.ts' },
    {
      '/': { body: page },
      '/forbidden': { body: page, headers: { 'permissions-policy': policy } },
      '/frames': { body: '<iframe src="/" allow="microphone \'none\'; display-capture \'none\'"></iframe>' },
      '/elsewhere': { body: '<h1>Another page</h1>' },
    },
  )
  const opened = await (await (await launch(flags)).newContext(context)).newPage()
  await opened.addInitScript(drive)
  await opened.goto(`${site.url}/`)
  const evaluate = <Result>(script: string) => opened.evaluate<Result>(script)
  const waitForEnd = async () => {
    await opened.waitForFunction('run.ended', undefined, { timeout: 20_000 })
  }
  return {
    page: opened,
    url: site.url,
    begin: (kind, options = {}) => evaluate(`begin(${JSON.stringify(kind)}, ${JSON.stringify(options)})`),
    call: (method) => evaluate(`run.recording.${method}()`),
    extend: (limitSeconds) => evaluate(`run.recording.extend(${limitSeconds})`),
    waitForEnd,
    async getOutcome() {
      await waitForEnd()
      return evaluate<Outcome>(`(${measure})()`)
    },
    async getBytes() {
      const base64 = await evaluate<string>(`(${readBase64})()`)
      return Buffer.from(base64, 'base64')
    },
    countLiveTracks: () => evaluate(`tracks.filter((track) => track.readyState === 'live').length`),
    async close() {
      await opened.context().close()
      await site.stop()
    },
  }
}

const measure = `async () => {
  const { blob, mime, durationMs } = run.ended
  const [whole, parts] = await Promise.all(
    [blob, new Blob(run.chunks.map((chunk) => chunk.blob))].map(async (one) => new Uint8Array(await one.arrayBuffer())),
  )
  const player = document.createElement('video')
  player.muted = true
  player.src = URL.createObjectURL(blob)
  await new Promise((resolve, reject) => {
    player.onloadedmetadata = resolve
    player.onerror = () => reject(player.error)
  })
  // The file of a recorder does not know its own length; the last frame does.
  if (player.duration === Infinity) {
    player.currentTime = 1e101
    await new Promise((resolve) => { player.onseeked = resolve })
  }
  return {
    mime,
    durationMs,
    bytes: blob.size,
    chunksAreWhole: whole.length === parts.length && whole.every((byte, index) => byte === parts[index]),
    chunkTimesMs: run.chunks.map((chunk) => Math.round(chunk.atMs)),
    order: run.order,
    ticks: run.ticks,
    playableSeconds: player.duration === Infinity ? player.currentTime : player.duration,
    videoWidth: player.videoWidth,
    liveTracks: tracks.filter((track) => track.readyState === 'live').length,
  }
}`

const readBase64 = `() => new Promise((resolve) => {
  const reader = new FileReader()
  reader.onload = () => resolve(reader.result.split(',').pop())
  reader.readAsDataURL(run.ended.blob)
})`
