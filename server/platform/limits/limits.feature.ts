import type { Feature } from '../feature.ts'
import type { Platform } from '../platform.ts'
import { createLimitJobs } from './limits.jobs.ts'

/** Limits shared by all processes leave rows behind. */
export function createLimitsFeature({ database }: Platform): Feature {
  return { name: 'limits', jobs: () => createLimitJobs(database) }
}
