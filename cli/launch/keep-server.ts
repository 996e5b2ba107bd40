import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { getCompileCacheDir } from 'node:module'
import { extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type BackOff, choosePause } from '#server/platform/back-off.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import type { Log } from '#server/platform/log/log.ts'
import { hasLittleMemory } from '#server/platform/memory/total-memory.ts'
import type { StopManner } from './clean-up.ts'

/** What the started services add to the environment. */
export type ServerSettings = Readonly<Record<string, string>> & { readonly DATABASE_URL: string }

/** What the server's process is given. */
export interface FromKeeper {
  readonly settings: ServerSettings
  /** The same for all processes of a keeper, of which there is one at a time: a new one knows that the others ended. */
  readonly keeperId: string
}

/** What the server's process tells: once, when it serves or has failed to start. */
export type FromServer = { readonly isReady: true } | { readonly isReady: false; readonly reason: string }

export interface KeptServer {
  /**
   * Lets it serve, and starts it again with back-off whenever it ends by itself.
   *
   * @throws StartError when it can't start the first time.
   */
  run(settings: ServerSettings, log: Pick<Log, 'error' | 'warn'>): Promise<void>
  stop(how: StopManner): Promise<void>
  kill(): void
}

interface ServerProcess {
  readonly child: ChildProcess
  readonly first: Promise<FromServer>
  readonly ended: Promise<string>
}

const restarting: BackOff = { firstMs: 100, longestMs: 10_000 }
/** One that served for this long did start: its successor need not wait. */
const steadyMs = 1_000
/** It stops by itself in less; only a hung one is killed. */
const stopTimeoutMs = 30_000
// The npm package has it as JavaScript.
const script = join(import.meta.dirname, '..', `server-process${extname(import.meta.filename)}`)

/** Starts the server's process, which loads its code and waits for {@link KeptServer.run}. */
export function keepServer(): KeptServer {
  const stopping = new AbortController()
  const keeperId = randomUUID()
  let current = open()
  const give = (settings: ServerSettings) => current.child.send({ settings, keeperId } satisfies FromKeeper)

  async function keep(settings: ServerSettings, log: Pick<Log, 'error' | 'warn'>): Promise<void> {
    let servesSince = performance.now()
    for (let failures = 0; ; ) {
      const how = await current.ended
      if (stopping.signal.aborted) return
      failures = performance.now() - servesSince > steadyMs ? 1 : failures + 1
      log.error({ how }, 'the server has ended unexpectedly; starting it again')
      await pause(choosePause(restarting, failures), undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      current = open()
      give(settings)
      const told = await current.first
      servesSince = told.isReady ? performance.now() : Number.POSITIVE_INFINITY
      if (!told.isReady) log.warn({ reason: told.reason }, 'the server does not start yet')
    }
  }

  return {
    async run(settings, log) {
      give(settings)
      const told = await current.first
      if (!told.isReady) throw new StartError(told.reason)
      void keep(settings, log)
    },
    async stop({ immediately }) {
      stopping.abort()
      const { child, ended } = current
      // Told by the other one, it keeps answering for a while, so that load balancers notice.
      child.kill(immediately ? 'SIGINT' : 'SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(timer)
    },
    kill: () => current.child.kill('SIGKILL'),
  }
}

/**
 * Under load, most of what requests allocate dies in a young generation of this size; in V8's own, half as large, much of it grew old,
 * and the heap with it. A machine with less than 1 GB has no room for it. `gc`: see return-memory.ts.
 */
const youngMegabytes = hasLittleMemory() ? 8 : 32
const nodeFlags = [`--max-semi-space-size=${youngMegabytes}`, '--expose-gc']

/** As this process has it. */
const compileCache = getCompileCacheDir()

function open(): ServerProcess {
  const child = spawn(process.execPath, [...nodeFlags, script], {
    // A group of its own: Ctrl-C reaches only this process, which stops the others in order.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Two heaps of the C library for all threads: with one each, what they free is kept apart.
    env: {
      MALLOC_ARENA_MAX: '2',
      ...process.env,
      ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
    },
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const first = new Promise<FromServer>((resolve) => {
    // Only our own script sends, and only this.
    child.once('message', (message) => resolve(message as FromServer))
    ended.then((how) => resolve({ isReady: false, reason: `The server ended before it was ready (${how}).` }))
  })
  // A message to one that has just ended; its end is handled above.
  child.on('error', () => {})
  return { child, first, ended }
}
