/*
 * First loads of the app's screens on a slow machine: a processor four times slower, 1.6 Mbit/s down, 150 ms of latency
 * per request, an empty cache. Requests, bytes, largest contentful paint and layout shift, beside a bare page of React
 * and React Router with one heading, built by the same tools. Run: npm run bench -- web
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { findChromium } from '../e2e/chromium.ts'
import { startProduct } from '../e2e/start-product.ts'
import { createTeam } from '../e2e/team.ts'
import { measuringFlags } from './harness/chromium.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const items = 100
const bitsPerSecond = 1_600_000
const latencyMs = 150
const slowdown = 4
/** Nothing more is drawn after this long without a new request or a larger paint. */
const quietMs = 1500

interface Loaded {
  readonly requests: number
  /** Of the answers, with headers, as they are sent. */
  readonly bytes: number
  readonly paintMs: number
  readonly shift: number
}

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>

const product = await startProduct({ INGEST_RATE_PER_MINUTE: '1000000', API_RATE_PER_MINUTE: '1000000' })
process.env.EARSHOT_URL = product.url
process.env.EARSHOT_MAIL_URL = product.mailUrl
const executablePath = findChromium()
const browser = await chromium.launch({ args: measuringFlags, ...(executablePath && { executablePath }) })
const peer = await startPeer()
try {
  const team = await createTeam(browser)
  const project = await team.makeProject('Slow')
  for (let sent = 1; sent <= items; sent += 1) {
    await project.send({ message: `Chair number ${sent} wobbles when someone sits on it`, rating: 1 + (sent % 5) })
  }
  const state = await visitOnce(team.storageState)
  const screens = [
    { name: 'bare React and React Router', url: peer.url },
    { name: 'landing', url: product.url },
    { name: 'dashboard', url: `${product.url}/dashboard` },
    { name: 'inbox', url: `${product.url}/dashboard/feedback` },
    { name: 'analytics', url: `${product.url}/dashboard/analytics` },
    { name: 'widget settings', url: `${product.url}/dashboard/projects/${project.id}/widget` },
  ]
  const rows: string[][] = []
  for (const { name, url } of screens) {
    const results: Loaded[] = []
    for (let round = 0; round < rounds; round += 1) results.push(await load(url, state))
    const middle = (pick: (each: Loaded) => number) => median(results.map(pick))
    rows.push([
      name,
      middle((each) => each.requests).toFixed(0),
      `${(middle((each) => each.bytes) / 1000).toFixed(0)} kB`,
      `${(middle((each) => each.paintMs) / 1000).toFixed(2)} s`,
      Math.max(...results.map(({ shift }) => shift)).toFixed(4),
    ])
  }
  process.stdout.write(
    `\nFirst load: processor ${slowdown}× slower, ${bitsPerSecond / 1e6} Mbit/s, ${latencyMs} ms, empty cache; ` +
      `${items} items; median of ${rounds}. Code that the browser loads while idle counts to requests and bytes.\n\n`,
  )
  printTable(['page', 'requests', 'bytes', 'largest paint', 'layout shift'], rows)
} finally {
  await browser.close()
  await product.stop()
  peer.stop()
}

/** The browser knows the organisation from an earlier visit. */
async function visitOnce(storageState: StorageState): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: product.url, storageState })
  const page = await context.newPage()
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const after = await context.storageState()
  await context.close()
  return after
}

async function load(url: string, storageState: StorageState): Promise<Loaded> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const counted = await throttle(page)
  await page.addInitScript(() => {
    const seen = { paintMs: 0, shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.paintMs = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      // The DOM's types do not know the fields of a layout shift.
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) seen.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url, { waitUntil: 'commit' })
  const read = () => page.evaluate(() => (window as unknown as { seen: { paintMs: number; shift: number } }).seen)
  for (let last = ''; ; ) {
    await page.waitForTimeout(quietMs)
    const now = JSON.stringify([await read(), counted.requests, counted.bytes])
    if (now === last) break
    last = now
  }
  const { paintMs, shift } = await read()
  await context.close()
  return { requests: counted.requests, bytes: counted.bytes, paintMs, shift }
}

/** Slows a page down, and counts what it asks for. */
async function throttle(page: Page): Promise<{ requests: number; bytes: number }> {
  const session = await page.context().newCDPSession(page)
  const counted = { requests: 0, bytes: 0 }
  session.on('Network.requestWillBeSent', () => {
    counted.requests += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    counted.bytes += encodedDataLength
  })
  await session.send('Network.enable')
  const downloadThroughput = bitsPerSecond / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput,
    uploadThroughput: downloadThroughput / 2,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return counted
}

/** A page with nothing but React, React Router and a heading, compressed as ours is. */
async function startPeer(): Promise<{ url: string; stop(): void }> {
  // Within the repository: its packages are found from there.
  const folder = mkdtempSync(join(import.meta.dirname, '..', 'build', 'bare-page-'))
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Bare</title><div id="root"></div><script type="module" src="/main.jsx"></script></html>',
  )
  writeFileSync(
    join(folder, 'main.jsx'),
    `import { createElement } from 'react'
     import { createRoot } from 'react-dom/client'
     import { createBrowserRouter } from 'react-router'
     import { RouterProvider } from 'react-router/dom'
     const Page = () => createElement('h1', null, 'A bare page of React and React Router')
     const router = createBrowserRouter([{ path: '/', Component: Page }])
     createRoot(document.getElementById('root')).render(createElement(RouterProvider, { router }))`,
  )
  await build({ root: folder, configFile: false, logLevel: 'silent', build: { outDir: 'out' } })
  const out = join(folder, 'out')
  const files = new Map(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name)
        return [file.slice(out.length), brotliCompressSync(readFileSync(file))]
      }),
  )
  rmSync(folder, { recursive: true, force: true })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const body = files.get(path)
    const type = extname(path) === '.js' ? 'text/javascript' : 'text/html'
    if (body) response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/`, stop: () => server.close() }
}
