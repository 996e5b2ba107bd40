import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#doubles/free-port.ts'
import { type MailReader, readMails } from '#doubles/read-mails.ts'
import { settings as allSettings } from '#server/settings.ts'

/** How a run of the command ended. */
type Ending = { code: number | null; signal: NodeJS.Signals | null; ms: number }

/** The command `npm start` runs, as a process of its own. */
export type ProductProcess = {
  child: ChildProcess
  stdout(): string
  stderr(): string
  ended: Promise<Ending>
  /** Resolves when the output says that it is running; rejects with the output when it ends before. */
  ready: Promise<void>
}

export type Product = ProductProcess & {
  url: string
  mailUrl: string
  mails: MailReader
  dataDir: string
  /** Of the stand-in for Stripe. */
  stripePort: number
  /** Stops it as Ctrl-C does. */
  stop(): Promise<Ending>
}

/** A command that runs the product with less of the machine, such as `cgexec -g memory,cpuset:small`. */
const prefix = (process.env.PRODUCT_PREFIX ?? '').split(' ').filter(Boolean)
const ownRoot = join(import.meta.dirname, '..')
const readyLine = 'Earshot is running.'
// The first run in a fresh clone builds the web app.
const readyTimeoutMs = 180_000

/**
 * Runs the command with exactly these settings: none that this process was given reaches it.
 *
 * @param options.byNpm as a person does, so that `child` is npm, which runs a shell, which runs the product.
 * @param options.root another clone of the product.
 */
export function spawnProduct(
  settings: Readonly<Record<string, string>>,
  { byNpm = false, root = ownRoot }: { byNpm?: boolean; root?: string } = {},
): ProductProcess {
  const startedAt = performance.now()
  const ambient = Object.entries(process.env).filter(([name]) => !(name in allSettings))
  const product = byNpm ? ['npm', 'start'] : [process.execPath, join(root, 'scripts', 'earshot.js'), 'start']
  const [command = '', ...args] = [...prefix, ...product]
  const child = spawn(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(ambient), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const ended = new Promise<Ending>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ms: performance.now() - startedAt }))
  })
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not ready in time:\n${stdout}${stderr}`)), readyTimeoutMs)
    timer.unref()
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (stdout.includes(readyLine)) resolve()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    ended.then(() => {
      clearTimeout(timer)
      reject(new Error(`It ended before it was ready:\n${stdout}${stderr}`))
    })
  })
  // Some callers want it to fail and never look at `ready`.
  ready.catch(() => {})
  return { child, stdout: () => stdout, stderr: () => stderr, ended, ready }
}

/**
 * Starts the real product on free ports, with a data folder of its own unless one is given.
 *
 * @throws Error with its output when it does not come up
 */
export async function startProduct(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  const [port, smtpPort, webPort, googlePort, stripePort] = await findFreePorts(5)
  const ownDataDir = settings.DATA_DIR === undefined ? mkdtempSync(join(tmpdir(), 'earshot-e2e-')) : undefined
  const dataDir = settings.DATA_DIR ?? ownDataDir ?? ''
  const product = spawnProduct({
    PORT: String(port),
    MAIL_SMTP_PORT: String(smtpPort),
    MAIL_WEB_PORT: String(webPort),
    GOOGLE_DOUBLE_PORT: String(googlePort),
    STRIPE_DOUBLE_PORT: String(stripePort),
    DATA_DIR: dataDir,
    ...settings,
  })
  const mailUrl = `http://127.0.0.1:${webPort}`
  try {
    await product.ready
  } catch (error) {
    product.child.kill('SIGKILL')
    throw error
  }
  return {
    ...product,
    url: `http://localhost:${settings.PORT ?? port}`,
    mailUrl,
    mails: readMails(mailUrl),
    dataDir,
    stripePort: Number(settings.STRIPE_DOUBLE_PORT ?? stripePort),
    async stop() {
      product.child.kill('SIGINT')
      const ending = await product.ended
      if (ownDataDir) rmSync(ownDataDir, { recursive: true, force: true })
      return ending
    },
  }
}

/** Ports that were free a moment ago, all different. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await findFreePort())
  return [...ports]
}
