import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { SiteContent } from '#contract/site-content.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createFeatures, type Features } from './features.ts'
import { openLiveChannel } from './platform/events/live-channel.ts'
import { createDiskCheck } from './platform/health/disk-check.ts'
import { addWebApp } from './platform/http/web-app.ts'
import { checkOtherWorkers } from './platform/jobs/other-workers.queries.ts'
import type { Worker } from './platform/jobs/worker.ts'
import type { Log } from './platform/log/log.ts'
import { returnMemory } from './platform/memory/return-memory.ts'
import { openPlatform, type Platform } from './platform/platform.ts'
import { toPublicConfig } from './public-config.ts'
import { startWorkers } from './worker.ts'

export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  /**
   * Tells load balancers to go elsewhere (`/ready` answers 503, each answer ends its connection) and keeps answering for
   * the configured grace period. Then ends event streams, answers what is under way and closes every connection. Jobs
   * at hand finish meanwhile.
   *
   * @param how.immediately without the grace period: someone waits at a terminal.
   */
  stop(how?: { immediately?: boolean }): Promise<void>
}

/** With the default grace period and the time that jobs take, a stop stays below 10 s. */
const patienceMs = 3_000

/**
 * Connections that wait to be accepted; the system may allow fewer. Node's default of 511 is full after a tenth of a second
 * of a flood, and a client whose connection was dropped waits for one to three seconds before it asks again.
 */
const backlog = 4_096

/**
 * Starts the services that the configuration names, on a database that is migrated.
 *
 * @param options.withPages false serves the API and the widget alone, so that their tests need no built web app.
 * @param options.keeperId what started this process, and starts it again when it ends. Default: nothing does.
 * @throws when the database can't be reached, the port is taken, or web and widget are not built.
 */
export async function startServer(
  config: Config & { databaseUrl: string },
  log: Log,
  { withPages = true, keeperId = null }: { withPages?: boolean; keeperId?: string | null } = {},
): Promise<RunningServer> {
  const stops: ((how: { immediately?: boolean }) => Promise<void> | void)[] = []
  // In reverse order of opening.
  const stop: RunningServer['stop'] = async (how = {}) => {
    for (const each of stops.splice(0).reverse()) await each(how)
  }
  try {
    const platform = await openPlatform(config, log)
    stops.push(() => platform.close())
    stops.push(returnMemory())
    await platform.readOnly.start()
    const features = createFeatures(platform)
    for (const feature of features.all) {
      stops.push(() => feature.stop?.())
      await feature.start?.(config.services)
    }
    const worker = config.services.worker ? await startWorkers(platform, features.all, keeperId) : undefined
    let workerStopped: Promise<void> | undefined
    const beginStop = () => {
      platform.beginStop()
      workerStopped ??= worker?.stop()
      // Reported where it is awaited.
      workerStopped?.catch(() => {})
    }
    stops.push(async () => {
      beginStop()
      await workerStopped
    })
    if (!config.services.web) return { url: '', stop }
    stops.push(
      await openLiveChannel(
        platform.database,
        features.all.flatMap(({ subscribers = [] }) => subscribers),
      ),
    )
    const app = await createWebServer(platform, features, worker, withPages)
    stops.push(() => closeWebServer(app))
    stops.push(async ({ immediately = false }) => {
      beginStop()
      if (!immediately) await pause(config.stopGraceMs)
    })
    return { url: await app.listen({ port: config.port, host: config.host, backlog }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function createWebServer(
  platform: Platform,
  features: Features,
  worker: Worker | undefined,
  withPages: boolean,
): Promise<FastifyInstance> {
  const { config, database } = platform
  const publicConfig = toPublicConfig(config, features.auth.publishableKey())
  return createApp(platform, features, {
    publicConfig,
    checks: {
      database: () => database.ping(),
      jobs: async () => (worker ? worker.check() : checkOtherWorkers(database)),
      disk: createDiskCheck(config.dataDir),
    },
    ...(withPages && {
      addPages: (pages: FastifyInstance) =>
        addWebApp(pages, { publicConfig, siteContent: joinSiteContent(features), development: config.hotReload }),
    }),
  })
}

function joinSiteContent({ all }: Features): SiteContent {
  // Each part is given by one feature; a part that none gives fails the test of public pages.
  return Object.assign({}, ...all.map(({ siteContent }) => siteContent)) as SiteContent
}

/** Answers what is under way. Clients that take longer than {@link patienceMs} are disconnected. */
async function closeWebServer(app: FastifyInstance): Promise<void> {
  const patience = setTimeout(() => app.server.closeAllConnections(), patienceMs)
  await app.close()
  clearTimeout(patience)
}
