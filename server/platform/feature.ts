import type { FastifyInstance } from 'fastify'
import type { SiteContent } from '#contract/site-content.ts'
import type { Subscriber } from './events/subscriber.ts'
import type { Checks } from './health/run-checks.ts'
import type { Job } from './jobs/job.ts'

/** What this process does; both by default. */
export interface Services {
  readonly web: boolean
  readonly worker: boolean
}

/** What routes may know of the process beyond their own feature. */
export interface RouteSurroundings {
  /** All that `GET /ready` asks. */
  readonly checks: Checks
}

/**
 * One noun of the product, as the server runs it. `server/features.ts` composes all of them. Making one opens nothing
 * and starts nothing: a process calls only what belongs to its services.
 */
export interface Feature {
  readonly name: string
  /** Opens what this process needs: listeners, keys, timers. Called once, before routes and jobs are asked for. */
  readonly start?: (services: Services) => Promise<void>
  /** Adds what answers requests. Called in web processes only. */
  readonly routes?: (app: FastifyInstance, surroundings: RouteSurroundings) => Promise<void> | void
  /** What public pages show of it. */
  readonly siteContent?: Partial<SiteContent>
  /** Called in worker processes only. */
  readonly jobs?: () => readonly Job[]
  readonly subscribers?: readonly Subscriber[]
  /** Adds to what `GET /ready` asks. */
  readonly checks?: Checks
  /** Closes what `start` opened. Called after the last request and the last job, also when `start` failed. */
  readonly stop?: () => Promise<void> | void
}
