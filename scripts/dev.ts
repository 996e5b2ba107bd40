/*
 * `npm run dev`: as `npm start`, but from the sources. The web app uses Vite with hot reload, the server restarts when
 * one of its files changes, and the widget is rebuilt.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCleanUp, fail, stopOnSignals } from '#cli/launch/clean-up.ts'
import { startServices } from '#cli/launch/start-services.ts'
import { loadConfig } from '#server/config.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { createLog } from '#server/platform/log/log.ts'

const root = join(import.meta.dirname, '..')
const quietMs = 150
const cleanUp = createCleanUp()
stopOnSignals(cleanUp, () => process.stdout.write('\nStopping …\n'))

try {
  const config = loadConfig(process.env)
  if (config.production) throw new StartError('npm run dev is for development; NODE_ENV is production.')
  const log = createLog({ level: 'warn', pretty: true })
  const services = await startServices(config, log, cleanUp, (lastWord) => {
    fail(new StartError(lastWord), cleanUp)
  })
  const widget = spawnNode('build-widget.ts', ['--watch'])
  cleanUp.add({ stop: () => end(widget) })
  while (readManifest() === undefined) await sleep(100)
  await runServer({
    ...process.env,
    HOT_RELOAD: 'on',
    DATABASE_URL: services.databaseUrl,
    ...(services.smtpUrl === null ? {} : { SMTP_URL: services.smtpUrl }),
    ...services.settings,
  })
  const mailPage = await services.mailPage
  process.stdout.write(`\n  App   ${config.appUrl}\n${mailPage ? `  Mail  ${mailPage}\n` : ''}\n`)
} catch (error) {
  await fail(error, cleanUp)
}

/** Runs the server, and restarts it after each change of its sources. */
async function runServer(env: NodeJS.ProcessEnv): Promise<void> {
  let server = spawnNode('dev-server.ts', [], env)
  let restarting = Promise.resolve()
  cleanUp.add({ stop: () => restarting.then(() => end(server)) })
  const restart = () => {
    if (cleanUp.isStopping()) return
    restarting = restarting.then(async () => {
      await end(server)
      process.stdout.write('Changed: restarting the server …\n')
      server = spawnNode('dev-server.ts', [], env)
    })
  }
  let timer: NodeJS.Timeout | undefined
  const onChange = (_event: string, file: string | null) => {
    if (file !== null && (/\.test\.ts$/.test(file) || /\.part$/.test(file))) return
    clearTimeout(timer)
    timer = setTimeout(restart, quietMs)
  }
  for (const folder of ['server', 'contract']) watch(join(root, folder), { recursive: true }, onChange)
  // The server reads the names of the widget's files once.
  let manifest = readManifest()
  watch(join(root, 'build', 'widget'), (event, file) => {
    const next = readManifest()
    if (next === undefined || next === manifest) return
    manifest = next
    onChange(event, file)
  })
}

function readManifest(): string | undefined {
  try {
    return readFileSync(join(root, 'build', 'widget', 'manifest.json'), 'utf8')
  } catch {
    return undefined
  }
}

function spawnNode(script: string, args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  // Its own process group: Ctrl-C reaches only this process, which stops the others in order.
  return spawn(process.execPath, [join(root, 'scripts', script), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}
