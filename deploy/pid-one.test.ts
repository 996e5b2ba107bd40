import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { settings as allSettings } from '#server/settings.ts'
import { root } from './image/read-dockerfile.ts'

/*
 * Earshot as the first process of a container that has no init, as with `docker run node npx earshot`: orphans become its children, which
 * Node never reaps. In its own image tini is the first process: `npm run bench -- image`. Making process numbers takes root on Linux.
 */
const takesRoot = process.platform !== 'linux' || process.getuid?.() !== 0
const folder = mkdtempSync(join(tmpdir(), 'earshot-first-'))
chmodSync(folder, 0o755)
const ambient = Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in allSettings)))

let unshare: ChildProcess | undefined
afterEach(() => unshare?.kill('SIGKILL'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Numbers, states and commands of a process's descendants. */
function listBelow(pid: number): { pid: number; state: string; command: string }[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n')
  const all = rows.map((row) => row.match(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/)?.slice(1) ?? [])
  const below = (parent: string): typeof all =>
    all.filter(([, of]) => of === parent).flatMap((each) => [each, ...below(each[0] ?? '')])
  return below(String(pid)).map(([own, , state = '', command = '']) => ({ pid: Number(own), state, command }))
}

describe.skipIf(takesRoot)('Earshot as the first process of a container without init', () => {
  it('serves again after its server and PostgreSQL were killed, and stops on SIGTERM', async () => {
    const port = await findFreePort()
    const product = [process.execPath, join(root, 'scripts/earshot.js'), 'start']
    const child = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', ...product], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...ambient,
        ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(folder, 'data') },
        ...{ LOG_LEVEL: 'fatal', STOP_GRACE_SECONDS: '0' },
      },
    })
    unshare = child
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.status
    // The first run in a fresh clone builds the web app.
    const untilReady = () => expect.poll(ready, { timeout: 180_000, interval: 50 }).toBe(200)
    const find = (part: string) => listBelow(child.pid ?? 0).find(({ command }) => command.includes(part))
    await untilReady()
    const first = listBelow(child.pid ?? 0)[0]
    expect(readFileSync(`/proc/${first?.pid}/status`, 'utf8')).toMatch(/^NSpid:\s\d+\s1$/m)
    const [server, postgres] = [find('server-process'), find(join(folder, 'data/postgres'))]
    for (const each of [server, postgres]) process.kill(each?.pid ?? Number.NaN, 'SIGKILL')
    await expect.poll(() => find('server-process')?.pid).not.toBe(server?.pid)
    await untilReady()
    expect(find(join(folder, 'data/postgres'))?.pid).not.toBe(postgres?.pid)
    process.kill(first?.pid ?? Number.NaN, 'SIGTERM')
    expect(await ended).toBe(0)
  }, 240_000)
})
