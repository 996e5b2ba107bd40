/*
 * The screenshot engine beside snapdom and html2canvas-pro, in the same run: the time for a picture of 4,500 nodes at
 * full and at a quarter of the CPU's speed, and the difference of each engine's pictures from the browser's own pixels
 * over the pages of widget/scenarios/capture/pages. Firefox and WebKitGTK too, where they are installed. Run: npm run
 * bench -- capture
 */
import { readdir } from 'node:fs/promises'
import { type Browser as Chromium, chromium, type Page } from '@playwright/test'
import { PNG } from 'pngjs'
import { findChromium } from '../e2e/chromium.ts'
import { compare, readPicture } from '../widget/scenarios/capture/compare.ts'
import { type Site, startSite } from '../widget/scenarios/capture/site.ts'
import { measuringFlags } from './harness/chromium.ts'
import { type Browser, launchFirefox, launchWebKit } from './harness/other-browsers.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const width = 1280
const height = 800
/** The time limit of an engine per page. */
const limitMs = 30_000

/** On white, like a page: two of them leave unpainted areas transparent. */
const toUrl = `((canvas) => {
  const whole = document.createElement('canvas')
  whole.width = canvas.width
  whole.height = canvas.height
  const context = whole.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, whole.width, whole.height)
  context.drawImage(canvas, 0, 0)
  return whole.toDataURL()
})`

/** Each draws the visible area; the libraries with the options from their documentation. */
const engines: Readonly<Record<string, string>> = {
  own: 'trial.draw().then((shot) => shot.canvas)',
  'snapdom 3': `import('/t/snapdom-alone.js').then(({ snapdom }) => snapdom.toCanvas(document.documentElement, { clip: 'viewport', exclude: [(element) => element === trial.host] }))`,
  'html2canvas-pro': `import('/t/html2canvas.js').then((module) => module.default(document.documentElement, { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight, useCORS: true, logging: false, ignoreElements: (element) => element === trial.host }))`,
}
const engineNames = Object.keys(engines)
const draw = (engine: string) =>
  `Promise.race([${engines[engine]}, new Promise((_, reject) => setTimeout(() => reject(new Error('too slow')), ${limitMs}))])`

const site = await startSite()
const executablePath = findChromium()
const browser = await chromium.launch({ args: measuringFlags, ...(executablePath ? { executablePath } : {}) })
try {
  await printTimes(browser, site)
  const names = await listPages()
  const chromiumPictures = await measureChromium(browser, site, names)
  printFidelity('Chromium', chromiumPictures)
  for (const launch of [launchFirefox, launchWebKit]) {
    const other = await launch(width, height)
    if (!other) {
      process.stdout.write(`\n${launch === launchFirefox ? 'Firefox' : 'WebKitGTK'}: not installed.\n`)
      continue
    }
    try {
      printFidelity(other.name, await measureOther(other, site, names))
    } finally {
      await other.close()
    }
  }
} finally {
  await browser.close()
  await site.stop()
}

/** Differences by engine, in the order of the pages; 1 where an engine failed. */
type Differences = Record<string, { name: string; part: number }[]>

async function listPages(): Promise<string[]> {
  const files = await readdir(new URL('../widget/scenarios/capture/pages/', import.meta.url))
  return files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -5))
}

async function openPage(browser: Chromium, site: Site, name: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: name === 'dark' ? 'dark' : 'light',
  })
  const page = await context.newPage()
  await page.goto(site.pageUrl(name))
  await page.addScriptTag({ url: '/t/trial.js', type: 'module' })
  await page.evaluate('trial.settle()')
  return page
}

async function printTimes(browser: Chromium, site: Site): Promise<void> {
  const rows: string[][] = []
  for (const slowdown of [1, 4]) {
    const times: Record<string, { ms: number[]; longestMs: number[] }> = {}
    for (let round = 0; round < rounds; round += 1) {
      // In turns, each on its own page, so that no engine uses another's loaded resources.
      for (const engine of engineNames) {
        const page = await openPage(browser, site, 'table')
        // The code is loaded first, as it is when a visitor requests a picture.
        await page.evaluate(
          engine === 'own' ? '1' : `import('/t/${engine.startsWith('s') ? 'snapdom-alone' : 'html2canvas'}.js')`,
        )
        const session = await page.context().newCDPSession(page)
        await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
        const result = await page.evaluate<{ ms: number; longestMs: number }>(`trial.measure(() => ${draw(engine)})`)
        times[engine] ??= { ms: [], longestMs: [] }
        times[engine]?.ms.push(result.ms)
        times[engine]?.longestMs.push(result.longestMs)
        await page.context().close()
      }
    }
    const middle = (engine: string, what: 'ms' | 'longestMs') => median(times[engine]?.[what] ?? [])
    for (const engine of engineNames) {
      rows.push([
        `${engine}, ${slowdown === 1 ? 'full speed' : 'a quarter of it'}`,
        middle(engine, 'ms').toFixed(0),
        (middle(engine, 'ms') / middle('own', 'ms')).toFixed(1),
        middle(engine, 'longestMs').toFixed(0),
        engine === 'own' ? (slowdown === 1 ? '200 / 50' : '700 / 150') : '',
      ])
    }
  }
  process.stdout.write(
    `\nA picture of 4,500 nodes, first of its page, median of ${rounds}. Tasks below 50 ms count as 0.\n\n`,
  )
  printTable(['engine', 'ms', 'times ours', 'longest task, ms', 'target'], rows)
}

async function measureChromium(browser: Chromium, site: Site, names: readonly string[]): Promise<Differences> {
  const differences: Differences = {}
  for (const name of names) {
    for (const engine of engineNames) {
      const page = await openPage(browser, site, name)
      if (name === 'states') await page.mouse.move(80, 100)
      const shown = readPicture(await page.screenshot())
      const url = await page.evaluate<string>(`${draw(engine)}.then(${toUrl}).catch(() => '')`)
      differences[engine] ??= []
      differences[engine]?.push({ name, part: url ? compare(shown, readPicture(url)) : 1 })
      await page.context().close()
    }
  }
  return differences
}

async function measureOther(browser: Browser, site: Site, names: readonly string[]): Promise<Differences> {
  const differences: Differences = {}
  for (const name of names) {
    for (const engine of engineNames) {
      differences[engine] ??= []
      try {
        await browser.open(site.pageUrl(name))
        await browser.evaluate(`import('/t/trial.js').then(() => trial.settle())`)
        const shown = readPicture(Buffer.from(await browser.screenshot(), 'base64'))
        const url = await browser.evaluate<string>(`${draw(engine)}.then(${toUrl}).catch(() => '')`)
        differences[engine]?.push({ name, part: url ? compareInside(shown, readPicture(url)) : 1 })
      } catch {
        differences[engine]?.push({ name, part: 1 })
      }
    }
  }
  return differences
}

/** As {@link compare}, without the scroll bars of a separate window. */
function compareInside(shown: PNG, picture: PNG): number {
  const size = { width: Math.min(shown.width, picture.width), height: Math.min(shown.height, picture.height) }
  if (shown.width - size.width > 20 || shown.height - size.height > 20) return 1
  const [one, other] = [shown, picture].map((whole) => {
    const part = new PNG(size)
    PNG.bitblt(whole, part, 0, 0, size.width, size.height, 0, 0)
    return part
  }) as [PNG, PNG]
  return compare(one, other)
}

function printFidelity(browser: string, differences: Differences): void {
  const percent = (part: number) => (part * 100).toFixed(2)
  const rows = engineNames.map((engine) => {
    const pages = [...(differences[engine] ?? [])].sort((one, other) => other.part - one.part)
    const near = pages.filter(({ part }) => part <= 0.02).length
    const worst = pages.slice(0, 3).map(({ name, part }) => `${name} ${percent(part)}`)
    return [
      engine,
      `${near} of ${pages.length}`,
      `${((100 * near) / pages.length).toFixed(0)} %`,
      percent(median(pages.map(({ part }) => part))),
      percent(pages[0]?.part ?? 1),
      worst.join(', '),
    ]
  })
  process.stdout.write(`\n${browser}: pixels that differ visibly from the browser's own, in % (pixelmatch, 0.1).\n\n`)
  printTable(['engine', 'within 2 %', 'part', 'median', 'worst', 'farthest pages'], rows)
}
