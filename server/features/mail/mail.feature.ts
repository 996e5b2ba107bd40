import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { bounceRoutes } from './bounces/bounces.routes.ts'
import { createMailJobs } from './mail.jobs.ts'
import { outboxRoutes } from './outbox/outbox.routes.ts'
import { createOutbox } from './outbox/outbox.service.ts'
import { suppressionRoutes } from './suppressions/suppressions.routes.ts'
import { createSuppressions } from './suppressions/suppressions.service.ts'

export function createMailFeature(platform: Platform): Feature {
  const { config, database, outbound, mailTransport: transport, log, readOnly } = platform
  return {
    name: 'mail',
    routes: (app) => {
      outboxRoutes(app, createOutbox(database))
      suppressionRoutes(app, createSuppressions(database))
      bounceRoutes(app, { database, outbound, secret: config.emailBounceSecret })
    },
    jobs: () => createMailJobs({ database, transport, log, readOnly }),
  }
}
