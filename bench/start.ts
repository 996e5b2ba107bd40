/*
 * From `npm start` to the first 200 of /ready, on an installed, built clone with existing data. Run: npm run bench -- start
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePorts } from '../e2e/start-product.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const targetMs = 2_000
const root = join(import.meta.dirname, '..')
const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-start-'))
const [port = 0, smtpPort = 0, mailPort = 0, googlePort = 0, stripePort = 0] = await findFreePorts(5)
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const commands: Readonly<Record<string, { command: string; args: string[]; env: Record<string, string> }>> = {
  'npm start': { command: npm, args: ['start'], env: {} },
  'npm start, NODE_ENV=production': {
    command: npm,
    args: ['start'],
    env: { NODE_ENV: 'production', HOST: '127.0.0.1' },
  },
  'the same without npm': { command: process.execPath, args: ['scripts/earshot.js', 'start'], env: {} },
}

/** Starts it, waits for the first 200 of /ready, stops it. */
async function measure({ command, args, env }: (typeof commands)[string]): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    // Its own process group, which gets the signal as from a terminal: npm alone would not forward it.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      MAIL_SMTP_PORT: String(smtpPort),
      MAIL_WEB_PORT: String(mailPort),
      GOOGLE_DOUBLE_PORT: String(googlePort),
      STRIPE_DOUBLE_PORT: String(stripePort),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let hasEnded = false
  ended.then(() => {
    hasEnded = true
  })
  let tookMs = Number.NaN
  while (Number.isNaN(tookMs)) {
    if (hasEnded) throw new Error(`${command} ended with ${await ended} before it was ready`)
    const reply = await fetch(`http://localhost:${port}/ready`).catch(() => undefined)
    if (reply?.status === 200) tookMs = performance.now() - startedAt
    else await pause(5)
  }
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
  await ended
  return tookMs
}

try {
  const rows: string[][] = []
  // The first start installs, builds and creates the data, and is not measured.
  for (const [name, task] of Object.entries(commands)) {
    await measure(task)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await measure(task))
    const isTarget = name === 'npm start'
    rows.push([
      name,
      (median(times) / 1000).toFixed(2),
      (Math.max(...times) / 1000).toFixed(2),
      isTarget ? `≤ ${targetMs / 1000}` : '',
    ])
  }
  process.stdout.write(`\nFrom the command to the first 200 of /ready, existing data, ${rounds} starts.\n\n`)
  printTable(['seconds', 'median', 'slowest', 'target'], rows)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
