import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Day } from './day.ts'

/*
 * Without keys of other services, Earshot asks no one but itself. The kernel counts every attempt of every process, PostgreSQL's and
 * those of tools included. Making a network namespace takes root on Linux. The browser's side: `routes.e2e.ts` and `main-journey.e2e.ts`.
 */
const takesRoot = process.platform !== 'linux' || process.getuid?.() !== 0
const root = join(import.meta.dirname, '../..')

describe.skipIf(takesRoot)('a day of use without keys of other services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-day-'))
  let day: Day

  beforeAll(async () => {
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o755)
    // A name server on loopback would answer without the kernel's counter.
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 192.0.2.53\n')
    const inside = [
      'ip link set lo up',
      'mount --bind "$1/resolv.conf" "$(realpath /etc/resolv.conf)"',
      'exec "$2" e2e/no-call-home/day.ts "$1/data"',
    ]
    const args = ['--net', '--mount', 'sh', '-c', inside.join(' && '), 'sh', folder, process.execPath]
    const { stdout } = await promisify(execFile)('unshare', args, { cwd: root, maxBuffer: 10_000_000 })
    // Written by day.ts.
    day = JSON.parse(stdout) as Day
    process.stdout.write(`  a day without keys: ${day.attempts} attempts to reach another host\n`)
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('tries to reach no other host, and asks no name server', () => {
    expect(day.attempts).toBe(0)
  })

  it('would be noticed: each way of reaching another host counts', () => {
    expect(Object.entries(day.control).filter(([, count]) => count === 0)).toEqual([])
    expect(Object.keys(day.control)).toEqual(['TCP by IPv4', 'TCP by IPv6', 'UDP', 'DNS', 'fetch'])
  })

  it('opens every page', () => {
    expect(Object.entries(day.pages).filter(([, status]) => status !== 200)).toEqual([])
  })

  it('runs every scheduled job, none of which fails', () => {
    expect(day.failures).toEqual([])
    // Jobs for services that have no key are not scheduled.
    const withKeys = ['capture_widget_sums', 'reconcile_billing', 'sync_plans']
    expect([...day.jobs, ...withKeys].sort()).toEqual(listCrons())
  })
})

/** The jobs with a schedule, by the code that defines them. */
function listCrons(): string[] {
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
  const code = files.filter((path) => /\.ts$/.test(path) && !/\.test\.ts$/.test(path))
  return code
    .flatMap((path) => [...readFileSync(join(root, 'server', path), 'utf8').matchAll(/defineCron\(\s*'(\w+)'/g)])
    .map(([, name]) => name ?? '')
    .sort()
}
