import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createMailJobs } from './mail.jobs.ts'
import { outboxRoutes } from './outbox/outbox.routes.ts'
import { createOutbox } from './outbox/outbox.service.ts'

export function createMailFeature({ database, mailTransport: transport, log }: Platform): Feature {
  return {
    name: 'mail',
    routes: (app) => outboxRoutes(app, createOutbox(database)),
    jobs: () => createMailJobs({ database, transport, log }),
  }
}
