import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { bounceRoutes } from './bounces/bounces.routes.ts'
import { createMailJobs } from './mail.jobs.ts'
import { outboxRoutes } from './outbox/outbox.routes.ts'
import { createOutbox } from './outbox/outbox.service.ts'
import { suppressionRoutes } from './suppressions/suppressions.routes.ts'
import { createSuppressions } from './suppressions/suppressions.service.ts'
import { emailTemplateRoutes } from './templates/email-templates.routes.ts'
import { createEmailTemplates } from './templates/email-templates.service.ts'
import { createTemplateTransfer } from './templates/transfer.service.ts'
import { createTemplateVersions } from './templates/versions.service.ts'
import { createWordKeeper } from './templates/word-book.ts'

export function createMailFeature(platform: Platform): Feature {
  const { config, database, outbound, mailTransport: transport, log, readOnly } = platform
  const words = createWordKeeper({ database, log })
  const { appUrl, supabase } = config
  return {
    name: 'mail',
    start: () => words.start(),
    routes: (app) => {
      outboxRoutes(app, createOutbox(database))
      suppressionRoutes(app, createSuppressions(database))
      bounceRoutes(app, { database, outbound, secret: config.emailBounceSecret })
      const instance = { appUrl, hasSupabase: supabase !== null }
      emailTemplateRoutes(app, {
        templates: createEmailTemplates(database, instance),
        versions: createTemplateVersions(database, instance),
        transfer: createTemplateTransfer(database),
      })
    },
    jobs: () => createMailJobs({ database, transport, log, readOnly }),
    stop: () => words.close(),
  }
}
