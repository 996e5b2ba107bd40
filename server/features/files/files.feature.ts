import type { Feature } from '#server/platform/feature.ts'
import { readBasePath } from '#server/platform/http/base-path.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import type { WidgetFeature } from '../widget/widget.feature.ts'
import { annotationRoutes } from './annotate/annotations.routes.ts'
import { createAnnotations } from './annotate/annotations.service.ts'
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
  const { buckets, config, database, storage, locks, log, secret, stopping } = platform
  const { uploads } = config
  const links = createFileLinks(secret.deriveKey('addresses of files'), readBasePath(config.appUrl))
  const files = createFiles(links)
  return {
    name: 'files',
    routes: (app) => {
      fileRoutes(app, { database, storage, links })
      annotationRoutes(app, createAnnotations({ database, storage, quotas, files }))
      uploadRoutes(app, {
        database,
        storage,
        locks,
        widget,
        quotas,
        creationBuckets: buckets.perMinute('upload', uploads.ratePerMinute),
        // A recording of ten minutes is three hundred parts, and several may be on their way.
        requestBuckets: buckets.perMinute('upload_part', uploads.ratePerMinute * 20),
        byteBuckets: buckets.create({
          name: 'upload_kilobytes',
          capacity: uploads.megabytesPerHour * 1024,
          refillMs: 3_600_000,
        }),
      })
    },
    jobs: () =>
      createFileJobs({
        database,
        storage,
        mediaTools: findMediaTools({ ...config.media, signal: stopping, log }),
        keepHours: uploads.keepHours,
      }),
    files,
  }
}
