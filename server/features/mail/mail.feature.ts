import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createMailJobs } from './mail.jobs.ts'

export function createMailFeature({ database, mailTransport: transport, log }: Platform): Feature {
  return {
    name: 'mail',
    jobs: () => createMailJobs({ database, transport, log }),
  }
}
