import type { Config } from '#server/config.ts'

/** What an organisation may use. Null: no limit. */
export interface Limits {
  readonly exports: { readonly maxCount: number | null; readonly maxBytes: number | null }
  /** Imports whose file waits in the storage. */
  readonly maxWaitingImports: number
  readonly files: { readonly maxBytes: number | null; readonly maxProjectBytes: number | null }
}

// Up to 50 MB each, for at most a week.
const maxWaitingImports = 20
const gigabyte = 1_000_000_000

/**
 * The limits of an organisation. The only place that decides them: today the instance's settings, the same for all; a plan
 * will set them here.
 */
export type FindLimits = (organizationId: string) => Promise<Limits>

export function createLimits({ quotas }: Pick<Config, 'quotas'>): FindLimits {
  const toBytes = (gigabytes: number) => (gigabytes === 0 ? null : gigabytes * gigabyte)
  const limits: Limits = {
    exports: {
      maxCount: quotas.exports === 0 ? null : quotas.exports,
      maxBytes: toBytes(quotas.exportGigabytes),
    },
    maxWaitingImports,
    files: { maxBytes: toBytes(quotas.fileGigabytes), maxProjectBytes: toBytes(quotas.projectFileGigabytes) },
  }
  return async () => limits
}
