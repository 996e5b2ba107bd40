import type { Feature } from '#server/platform/feature.ts'
import { createTokenBuckets, perMinute } from '#server/platform/http/token-buckets.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import type { WidgetFeature } from '../widget/widget.feature.ts'
import { createFileJobs } from './files.jobs.ts'
import { createFiles, type Files } from './files.service.ts'
import { findMediaTools } from './media/media-tools.ts'
import { uploadRoutes } from './receive/uploads.routes.ts'
import { createFileLinks } from './serve/file-link.ts'
import { fileRoutes } from './serve/files.routes.ts'

export interface FilesFeature extends Feature {
  readonly files: Files
}

export interface FileNeeds {
  readonly widget: Pick<WidgetFeature, 'admit' | 'requireOpen'>
  readonly quotas: Pick<Quotas, 'require'>
}

export function createFilesFeature(platform: Platform, { widget, quotas }: FileNeeds): FilesFeature {
  const { config, database, storage, locks, log, secret, stopping } = platform
  const { uploads } = config
  const links = createFileLinks(secret.deriveKey('addresses of files'))
  return {
    name: 'files',
    routes: (app) => {
      fileRoutes(app, { database, storage, links })
      uploadRoutes(app, {
        database,
        storage,
        locks,
        widget,
        quotas,
        creationBuckets: perMinute(uploads.ratePerMinute),
        // A recording of ten minutes is three hundred parts, and several may be on their way.
        requestBuckets: perMinute(uploads.ratePerMinute * 20),
        byteBuckets: createTokenBuckets({ capacity: uploads.megabytesPerHour * 1024, refillMs: 3_600_000 }),
      })
    },
    jobs: () =>
      createFileJobs({
        database,
        storage,
        mediaTools: findMediaTools({ ...config.media, signal: stopping, log }),
        keepHours: uploads.keepHours,
      }),
    files: createFiles(links),
  }
}
