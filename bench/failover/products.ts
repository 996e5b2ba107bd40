import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ProductProcess, spawnProduct } from '../../e2e/start-product.ts'

/** A process of the product, as on a machine of its own: with a data folder that no other shares. */
export interface Process {
  readonly name: string
  readonly port: number
  product: ProductProcess
}

export interface Processes {
  readonly all: readonly Process[]
  readonly web: readonly Process[]
  /** Ends by themselves so far, of all processes: none may. */
  exits(): readonly string[]
  /** Stops it as an upgrade does, and starts it again. @returns how long the stop took, in milliseconds. */
  restart(each: Process): Promise<number>
  stop(): Promise<void>
}

/** Twice the pace at which the proxy asks /ready. */
const seenAfterMs = 2_000

/** @param common settings of all of them. */
export async function startProcesses(
  folder: string,
  common: Readonly<Record<string, string>>,
  webPorts: readonly number[],
  workers: number,
): Promise<Processes> {
  const exits: string[] = []
  const stopping = new Set<ProductProcess>()
  const start = (name: string, port: number): ProductProcess => {
    const dataDir = join(folder, name)
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    const isWeb = port > 0
    const product = spawnProduct({
      ...common,
      DATA_DIR: dataDir,
      ...(isWeb ? { SERVICES: 'web', PORT: String(port) } : { SERVICES: 'worker' }),
    })
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
    product.child.stdout?.pipe(log, { end: false })
    product.child.stderr?.pipe(log, { end: false })
    product.ended.then(({ code, signal }) => {
      log.end()
      if (!stopping.has(product)) exits.push(`${name} ended with ${code ?? signal}: ${product.stderr().slice(-500)}`)
    })
    return product
  }
  const places = [
    ...webPorts.map((port, n) => ({ name: `web${n + 1}`, port })),
    ...Array.from({ length: workers }, (_, n) => ({ name: `worker${n + 1}`, port: 0 })),
  ]
  const all: Process[] = []
  const stop = async (each: Process) => {
    stopping.add(each.product)
    each.product.child.kill('SIGTERM')
    await each.product.ended
  }
  const processes: Processes = {
    all,
    web: all.filter(({ port }) => port > 0),
    exits: () => exits,
    restart: async (each) => {
      const startedAt = performance.now()
      await stop(each)
      const stoppedMs = performance.now() - startedAt
      each.product = start(each.name, each.port)
      await each.product.ready
      // Its proxy has to see that before another process stops.
      await pause(seenAfterMs)
      return stoppedMs
    },
    stop: async () => {
      await Promise.all(all.map(stop))
    },
  }
  try {
    // All at once: one of them migrates, and the others wait for it.
    for (const place of places) all.push({ ...place, product: start(place.name, place.port) })
    await Promise.all(all.map(({ product }) => product.ready))
  } catch (error) {
    await processes.stop()
    throw error
  }
  return { ...processes, web: all.filter(({ port }) => port > 0) }
}

/** How often the keeper of a process started its server again, by its log. */
export function countServerRestarts({ all }: Processes): number {
  return all.reduce(
    (sum, { product }) => sum + (product.stdout() + product.stderr()).split('ended unexpectedly').length - 1,
    0,
  )
}
