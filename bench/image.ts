/*
 * The image of deploy/Dockerfile, built and run in folders without a container engine: its steps as the file has them, then the
 * product in it as Kubernetes would run it. Takes root on Linux, debootstrap and some minutes. What differs from an image:
 * harness/image-root.ts. Run: npm run bench -- image
 */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startThrowawayPostgres } from '#server/testing/throwaway-postgres.ts'
import { readStages, type Stage } from '../deploy/image/read-dockerfile.ts'
import { signUp } from '../e2e/newcomer.ts'
import { findFreePorts } from '../e2e/start-product.ts'
import { buildStages, type Container, findObstacle, startContainer } from './harness/image-root.ts'
import { printTable } from './harness/table.ts'

const obstacle = findObstacle()
if (obstacle !== undefined) throw new Error(`The image can't be built here: ${obstacle}.`)
/** Keeps the fresh Debian for the next run. */
const folder = process.env.BENCH_KEEP ?? mkdtempSync(join(tmpdir(), 'earshot-image-'))
const rows: string[][] = []
const [port = 0] = await findFreePorts(1)
const url = `http://127.0.0.1:${port}`
/** As someone sets who tries it: the product's own settings come from the image. */
const trial = { PORT: String(port), APP_URL: url, GOTRUE_MAILER_AUTOCONFIRM: 'on', STOP_GRACE_SECONDS: '0' }

function note(what: string, figure: string): void {
  rows.push([what, figure])
  process.stdout.write(`${what}: ${figure}\n`)
}

function readMegabytes(place: string): number {
  return Math.round(Number(execFileSync('du', ['-sk', place], { encoding: 'utf8' }).split('\t')[0]) / 1024)
}

function makeDataDir(stage: Stage, mode = 0o700): string {
  const dataDir = join(folder, `data-${rows.length}`)
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { mode })
  const [uid = 0, gid = 0] = stage.user?.split(':').map(Number) ?? []
  chownSync(dataDir, uid, gid)
  return dataDir
}

async function waitUntilReady(container: Container): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    if (container.child.exitCode !== null) throw new Error(`It ended before it was ready:\n${container.output()}`)
    const reply = await fetch(`${url}/ready`).catch(() => undefined)
    if (reply?.status === 200) return performance.now() - startedAt
    if (performance.now() - startedAt > 60_000) throw new Error(`Not ready after a minute:\n${container.output()}`)
    await pause(20)
  }
}

function must(isTrue: boolean, what: string, container: Container): void {
  if (!isTrue) throw new Error(`${what}:\n${JSON.stringify(container.list(), null, 1)}\n${container.output()}`)
}

/** Runs a command in another container with the same file systems, as `docker exec` would in the same. @returns its exit code */
async function runInside(stage: Stage, place: string, dataDir: string, command: readonly string[]) {
  const container = startContainer(stage, place, dataDir, trial, command)
  return { code: await container.ended, output: container.output() }
}

async function stop(container: Container): Promise<string> {
  const startedAt = performance.now()
  container.signal('SIGTERM')
  const code = await container.ended
  must(code === 0, `It ended with ${code}`, container)
  return `exit code 0 after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

/** Its server's child processes become orphans when it is killed: the first process must reap them, and the keeper start it again. */
async function killServer(container: Container): Promise<void> {
  const server = container.list().find(({ command }) => command.includes('server-process'))
  const postgres = container.list().find(({ command }) => /postgres.* -D /.test(command))
  must(server !== undefined && postgres !== undefined, 'The server or PostgreSQL is missing', container)
  process.kill(server?.hostPid ?? 0, 'SIGKILL')
  process.kill(postgres?.hostPid ?? 0, 'SIGKILL')
  await pause(1_000)
  await waitUntilReady(container)
  const zombies = () => container.list().filter(({ state }) => state.startsWith('Z'))
  for (const until = Date.now() + 10_000; zombies().length > 0 && Date.now() < until; ) await pause(100)
  must(zombies().length === 0, 'Zombies are left', container)
}

async function tryOut(stage: Stage, place: string): Promise<void> {
  const dataDir = makeDataDir(stage)
  const container = startContainer(stage, place, dataDir, trial)
  note(
    'read-only root, uid 10001, no capabilities: ready',
    `${((await waitUntilReady(container)) / 1000).toFixed(1)} s`,
  )
  const [first] = container.list().filter(({ pid }) => pid === 1)
  note('process 1', first?.command.slice(0, 40) ?? '')
  const newcomer = await signUp(url)
  await newcomer.submit('The basket is empty.')
  must((await newcomer.readInbox()).join() === 'The basket is empty.', 'The inbox lacks the submission', container)
  note('sign-up, project, submission, inbox', 'ok')
  const healthy = await runInside(stage, place, dataDir, stage.healthcheck ?? [])
  must(healthy.code === 0, `The health check failed: ${healthy.output}`, container)
  await killServer(container)
  note('server and PostgreSQL killed', 'both serve again, no zombie is left')
  note('SIGTERM', await stop(container))
  const unhealthy = await runInside(stage, place, dataDir, stage.healthcheck ?? [])
  must(unhealthy.code === 1, 'The health check succeeds while nothing runs', container)
  note('health check', 'ok while it runs, fails afterwards')
  const again = startContainer(stage, place, dataDir, trial)
  note('second start on the same data: ready', `${((await waitUntilReady(again)) / 1000).toFixed(1)} s`)
  await stop(again)
  note('written to /data', readdirSync(dataDir).sort().join(' '))
}

/** The owner of a volume is often root, with the group that Kubernetes sets (`fsGroup`). */
async function tryGroup(stage: Stage, place: string): Promise<void> {
  const dataDir = makeDataDir(stage)
  execFileSync('sh', ['-c', `chown root ${dataDir} && chmod 2770 ${dataDir}`])
  const container = startContainer(stage, place, dataDir, trial)
  await waitUntilReady(container)
  note('/data of root and group 10001, mode 2770', await stop(container))
}

async function tryOwnDatabase(stage: Stage, place: string): Promise<void> {
  const postgres = await startThrowawayPostgres()
  try {
    const dataDir = makeDataDir(stage)
    const container = startContainer(stage, place, dataDir, { ...trial, DATABASE_URL: postgres.url })
    await waitUntilReady(container)
    await (await signUp(url)).submit('With a database elsewhere.')
    note('DATABASE_URL', `${await stop(container)}; /data has ${readdirSync(dataDir).sort().join(' ')}`)
  } finally {
    await postgres.stop()
  }
}

async function tryMedia(stage: Stage, place: string): Promise<void> {
  const { code, output } = await runInside(stage, place, makeDataDir(stage), ['ffprobe', '-version'])
  if (code !== 0) throw new Error(`ffprobe does not run: ${output}`)
  note('VARIANT=ffmpeg', output.split('\n')[0]?.slice(0, 40) ?? '')
}

try {
  const stages = readStages()
  const target = stages.at(-1)
  if (target === undefined) throw new Error('The Dockerfile has no stage.')
  const built = buildStages(stages, target.name, folder)
  const place = built.get(target.name) ?? ''
  const base = readMegabytes(built.get('debian:bookworm-slim') ?? '')
  note('size without the base image', `${readMegabytes(place) - base} MB`)
  await tryOut(target, place)
  await tryGroup(target, place)
  await tryOwnDatabase(target, place)
  built.delete(target.name)
  const withMedia = readStages({ VARIANT: 'ffmpeg' })
  buildStages(withMedia, target.name, folder, built)
  note('size with ffmpeg, without the base image', `${readMegabytes(place) - base} MB`)
  await tryMedia(withMedia.at(-1) ?? target, place)
  process.stdout.write('\n')
  printTable(['image', 'figure'], rows)
} finally {
  if (process.env.BENCH_KEEP === undefined) rmSync(folder, { recursive: true, force: true })
}
