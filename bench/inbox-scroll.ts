/*
 * Scrolling through 10,000 loaded rows of the inbox in Chromium: frames per second, and the longest task on the page's
 * thread. Real items, sent like a visitor's, in the built product. Beside it, the same scrolling over an empty box of
 * the same height: the machine's own limit. Run: npm run bench -- inbox-scroll
 */
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../e2e/chromium.ts'
import { startProduct } from '../e2e/start-product.ts'
import { createTeam } from '../e2e/team.ts'
import { measuringFlags } from './harness/chromium.ts'
import { percentile, printTable } from './harness/table.ts'

const rows = 10_000
const sendersAtOnce = 40
const seconds = 8
/** Several screens of rows in every frame, as when the scroll bar is dragged. */
const pixelsPerSecond = 60_000

interface Scrolling {
  frameMs: number[]
  longTasksMs: number[]
}

const product = await startProduct({ INGEST_RATE_PER_MINUTE: '1000000', API_RATE_PER_MINUTE: '1000000' })
process.env.EARSHOT_URL = product.url
process.env.EARSHOT_MAIL_URL = product.mailUrl
const executablePath = findChromium()
const browser = await chromium.launch({ args: measuringFlags, ...(executablePath && { executablePath }) })
try {
  const team = await createTeam(browser)
  const project = await team.makeProject('Ten thousand')
  let sent = 0
  const send = async () => {
    while (sent < rows) {
      sent += 1
      await project.send({ message: `Chair number ${sent} wobbles when someone sits on it`, rating: 1 + (sent % 5) })
    }
  }
  await Promise.all(Array.from({ length: sendersAtOnce }, send))
  process.stdout.write(`${rows} items sent\n`)

  const context = await browser.newContext({
    baseURL: product.url,
    storageState: team.storageState,
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  await page.goto('/dashboard/feedback')
  await page.getByRole('region', { name: 'Feedback' }).getByRole('link').first().waitFor()
  await loadEverything(page)
  const inbox = await scroll(page, '[data-inbox-list]')

  const empty = await context.newPage()
  await empty.setContent(
    `<div id="box" style="height: 600px; width: 448px; overflow: auto"><div style="height: ${rows * 64}px"></div></div>`,
  )
  const box = await scroll(empty, '#box')

  printTable(
    ['', 'frames/s', 'frame p50', 'frame p99', 'longest task', 'tasks over 50 ms'],
    [
      ['inbox, 10,000 rows', ...formatScrolling(inbox)],
      ['empty box', ...formatScrolling(box)],
    ],
  )
} finally {
  await browser.close()
  await product.stop()
}

/** Scrolls to the end again and again until there is nothing more to load. */
async function loadEverything(page: Page): Promise<void> {
  await page.evaluate(async (count) => {
    const scroller = document.querySelector('[data-inbox-list]')
    const isThere = () => document.querySelector(`[aria-posinset="${count}"]`) !== null
    for (let tries = 0; scroller && tries < 5000 && !isThere(); tries += 1) {
      scroller.scrollTop = scroller.scrollHeight
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (!isThere()) throw new Error('Not all rows were loaded')
    scroller?.scrollTo({ top: 0 })
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }, rows)
}

/** Scrolls down at an even speed and back up, noting every frame and every long task. */
function scroll(page: Page, selector: string): Promise<Scrolling> {
  return page.evaluate(
    async ({ selector: wanted, seconds: duration, pixelsPerSecond: speed }) => {
      const scroller = document.querySelector(wanted)
      if (!scroller) throw new Error(`Nothing is ${wanted}`)
      const longTasksMs: number[] = []
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) longTasksMs.push(entry.duration)
      })
      observer.observe({ type: 'longtask' })
      const frameMs: number[] = []
      const startedAt = performance.now()
      let last = startedAt
      await new Promise<void>((resolve) => {
        const step = (now: number) => {
          frameMs.push(now - last)
          last = now
          const elapsed = (now - startedAt) / 1000
          if (elapsed >= duration) return resolve()
          const half = duration / 2
          scroller.scrollTop = speed * (elapsed < half ? elapsed : duration - elapsed)
          requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      })
      // The observer delivers its last entries a moment later.
      await new Promise((resolve) => setTimeout(resolve, 200))
      observer.disconnect()
      return { frameMs: frameMs.slice(1), longTasksMs }
    },
    { selector, seconds, pixelsPerSecond },
  )
}

function formatScrolling({ frameMs, longTasksMs }: Scrolling): string[] {
  const total = frameMs.reduce((sum, each) => sum + each, 0)
  return [
    ((frameMs.length / total) * 1000).toFixed(1),
    `${percentile(frameMs, 0.5).toFixed(1)} ms`,
    `${percentile(frameMs, 0.99).toFixed(1)} ms`,
    longTasksMs.length > 0 ? `${Math.max(...longTasksMs).toFixed(0)} ms` : 'under 50 ms',
    String(longTasksMs.filter((each) => each > 50).length),
  ]
}
