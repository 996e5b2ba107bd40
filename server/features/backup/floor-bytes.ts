import type { Config } from '#server/config.ts'

/** Free space that no backup takes: what submissions need. */
export function floorBytes({ quotas }: Pick<Config, 'quotas'>): number {
  return quotas.floorMegabytes.submission * 1024 ** 2
}
