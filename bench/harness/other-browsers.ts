import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '#doubles/free-port.ts'

/** A browser that Playwright does not support, with the operations that a comparison of pictures needs. */
export interface Browser {
  readonly name: string
  open(url: string): Promise<void>
  /** Runs an expression in the page, waits for its promise, and returns its JSON. */
  evaluate<Value>(expression: string): Promise<Value>
  /** A screenshot of the page's window, as PNG in base64. */
  screenshot(): Promise<string>
  close(): Promise<void>
}

/** Finds a program by its names in PATH and in other folders. */
function findProgram(names: readonly string[], places: readonly string[] = []): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find((path) =>
    existsSync(path),
  )
}

async function repeat<Value>(attempt: () => Promise<Value>, times = 60): Promise<Value> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (--times === 0) throw error
      await wait(250)
    }
  }
}

function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    program.once('exit', () => resolve())
    // The whole process group: a browser has child processes.
    process.kill(-(program.pid ?? 0), 'SIGKILL')
  })
}

/** Firefox by WebDriver BiDi, which it supports natively. Undefined: not installed. */
export async function launchFirefox(width: number, height: number): Promise<Browser | undefined> {
  const path = findProgram(['firefox-esr', 'firefox'])
  if (!path) return undefined
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'))
  const port = await findFreePort()
  const flags = ['--headless', '--no-remote', '--profile', profile, `--remote-debugging-port=${port}`]
  const program = spawn(path, flags, { stdio: 'ignore', detached: true })
  const socket = await repeat(
    () =>
      new Promise<WebSocket>((resolve, reject) => {
        const opening = new WebSocket(`ws://127.0.0.1:${port}/session`)
        opening.onopen = () => resolve(opening)
        opening.onerror = reject
      }),
  )
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.onmessage = ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    waiting.get(reply.id)?.(reply)
  }
  let count = 0
  const call = async (method: string, params: object): Promise<Reply['result']> => {
    count += 1
    const id = count
    const answered = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const reply = await answered
    if (reply.type === 'error') throw new Error(`${method}: ${reply.message}`)
    return reply.result
  }
  await call('session.new', { capabilities: {} })
  const { context } = await call('browsingContext.create', { type: 'tab' })
  await call('browsingContext.setViewport', { context, viewport: { width, height }, devicePixelRatio: 1 })
  return {
    name: 'Firefox',
    open: async (url) => {
      await call('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const text = `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`
      const reply = await call('script.evaluate', { expression: text, target: { context }, awaitPromise: true })
      if (reply.type === 'exception') throw new Error(reply.exceptionDetails?.text)
      return JSON.parse(String(reply.result?.value))
    },
    screenshot: async () => String((await call('browsingContext.captureScreenshot', { context })).data),
    async close() {
      socket.close()
      await stop(program)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Reply {
  id: number
  type: string
  message: string
  result: {
    context?: string
    data?: string
    type?: string
    result?: { value: unknown }
    exceptionDetails?: { text: string }
  }
}

/** WebKitGTK by its WebDriver, under a virtual screen. Undefined: not installed. */
export async function launchWebKit(width: number, height: number): Promise<Browser | undefined> {
  const driver = findProgram(['WebKitWebDriver'])
  const virtualScreen = findProgram(['xvfb-run'])
  const binary = findProgram(
    ['MiniBrowser'],
    ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  )
  if (!driver || !virtualScreen || !binary) return undefined
  const port = await findFreePort()
  const screen = ['-a', '-s', `-screen 0 ${width + 400}x${height + 400}x24`]
  const program = spawn(virtualScreen, [...screen, driver, `--port=${port}`], { stdio: 'ignore', detached: true })
  const call = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { value } = (await reply.json()) as { value: Value & { error?: string; message?: string } }
    if (value?.error) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const options = { binary, args: ['--automation'] }
  const { sessionId } = await repeat(() =>
    call<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    }),
  )
  const session = `/session/${sessionId}`
  await call('POST', `${session}/timeouts`, { script: 120_000 })
  const evaluate = <Value>(expression: string) =>
    call<Value>('POST', `${session}/execute/async`, {
      script: `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done(value), (error) => done({ error: 'javascript error', message: String(error && error.stack || error) }))`,
      args: [],
    })
  // The window's size includes its bars, so it is enlarged until the page has the right size.
  let outer = { width, height }
  for (let turn = 0; turn < 4; turn += 1) {
    await call('POST', `${session}/window/rect`, { x: 0, y: 0, ...outer })
    await wait(300)
    const inner = await evaluate<{ width: number; height: number }>('({ width: innerWidth, height: innerHeight })')
    if (inner.width === width && inner.height === height) break
    outer = { width: outer.width + width - inner.width, height: outer.height + height - inner.height }
  }
  return {
    name: 'WebKitGTK',
    evaluate,
    open: async (url) => {
      await call('POST', `${session}/url`, { url })
    },
    screenshot: () => call('GET', `${session}/screenshot`),
    async close() {
      await call('DELETE', session).catch(() => {})
      await stop(program)
    },
  }
}
