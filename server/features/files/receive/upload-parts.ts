import type { Database } from '#server/platform/database/database.ts'
import type { TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { NamedLocks } from '#server/platform/locks/named-locks.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { Quotas } from '../../quotas/quotas.service.ts'
import type { WidgetFeature } from '../../widget/widget.feature.ts'

/** What receiving files works with. */
export interface UploadParts {
  readonly database: Database
  readonly storage: Storage
  readonly locks: NamedLocks
  readonly widget: Pick<WidgetFeature, 'admit' | 'requireOpen'>
  readonly quotas: Pick<Quotas, 'require'>
  /** Files that a visitor may begin. */
  readonly creationBuckets: TokenBuckets
  /** What a visitor may ask about files begun, and send of them. */
  readonly requestBuckets: TokenBuckets
  /** Kibibytes that a visitor may send. */
  readonly byteBuckets: TokenBuckets
}
