import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createBackupJobs } from './backup.jobs.ts'

/** Scheduled backups and drills of their restore. By hand: `npm run backup`, `npm run restore`. */
export function createBackupFeature(platform: Platform): Feature {
  return { name: 'backup', jobs: () => createBackupJobs(platform) }
}
