import type { FullQuota, StorageUsage } from '#contract/quotas.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { DiskFloor } from './disk-floor.ts'
import { type FileUsage, toFileUsage } from './file-usage.ts'
import { listRefusals, type Refusal } from './full-quotas.queries.ts'
import type { FullQuotas } from './full-quotas.ts'
import type { FindLimits, Limits } from './limits.ts'
import {
  countExports,
  countWaitingImports,
  type KindOfFiles,
  listKindsOfFiles,
  listProjectFiles,
} from './quotas.queries.ts'

/** What follows a full quota elsewhere: emails to owners. */
export { takeFullQuota } from './full-quotas.queries.ts'

/** Something that takes room. `bytes`: as announced; 0 when unknown. */
export type Demand =
  | { readonly kind: 'export' | 'import'; readonly organizationId: string }
  | { readonly kind: 'upload'; readonly organizationId: string; readonly projectId: string; readonly bytes: number }
  /** An export that was admitted, and is being written. */
  | { readonly kind: 'export_in_progress' | 'submission' }

export interface Quotas {
  /**
   * Whether there is room: on the disk, and within the organisation's limits.
   *
   * @throws ProductError `disk_nearly_full`, `export_quota_reached`, `import_quota_reached`, `file_quota_reached`.
   */
  require(demand: Demand): Promise<void>
  /** Bytes that one more export may have. Null: no limit. */
  findExportRoom(organizationId: string): Promise<number | null>
  readUsage(actor: Actor, organizationId: string): Promise<StorageUsage>
  /** What an organisation stores, files by kind: for those who run the instance. */
  readStored(organizationId: string): Promise<Stored>
  /** Quotas that refused a file and have no room for it yet: for owners, empty for anyone else. */
  listFull(tx: TenantTx, organizationId: string): Promise<FullQuota[]>
}

export interface Stored {
  readonly files: readonly KindOfFiles[]
  readonly fileLimitBytes: number | null
  readonly exports: { readonly count: number; readonly usedBytes: number }
}

interface QuotaParts {
  readonly database: Database
  readonly disk: DiskFloor
  readonly findLimits: FindLimits
  readonly findFileUsage: (organizationId: string) => Promise<FileUsage>
  readonly fullQuotas: FullQuotas
}

const reason = 'limits count what all members of an organisation have made'
/** When a visitor's browser tries again. It keeps the file until then. */
const fileRetryAfterSeconds = 3_600

export function createQuotas(parts: QuotaParts): Quotas {
  const { database, disk, findLimits } = parts
  return {
    require: async (demand) => {
      switch (demand.kind) {
        case 'submission':
          return disk.require('submission')
        case 'export_in_progress':
          return disk.require('transfer')
        case 'upload':
          await disk.require('upload')
          return requireFileRoom(parts, demand)
        case 'import':
          await disk.require('transfer')
          return requireImportRoom(database, demand.organizationId, await findLimits(demand.organizationId))
        case 'export':
          await disk.require('transfer')
          return requireExportRoom(database, demand.organizationId, await findLimits(demand.organizationId))
      }
    },

    findExportRoom: async (organizationId) => {
      const { maxBytes } = (await findLimits(organizationId)).exports
      if (maxBytes === null) return null
      const { usedBytes } = await database.asSystem(reason, (tx) => countExports(tx, organizationId))
      return Math.max(0, maxBytes - usedBytes)
    },

    readUsage: async (actor, organizationId) => {
      const limits = await findLimits(organizationId)
      const { projects, exports } = await database.withTenant(actor, async (tx) => ({
        projects: await listProjectFiles(tx, organizationId),
        exports: await countExports(tx, organizationId),
      }))
      return {
        files: {
          usedBytes: projects.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
          limitBytes: limits.files.maxBytes,
          count: projects.reduce((sum, { count }) => sum + count, 0),
          projectLimitBytes: limits.files.maxProjectBytes,
          projects,
        },
        exports: { ...exports, limitBytes: limits.exports.maxBytes, maxCount: limits.exports.maxCount },
      }
    },

    readStored: async (organizationId) => {
      const { files: limits } = await findLimits(organizationId)
      return database.asSystem(reason, async (tx) => ({
        files: await listKindsOfFiles(tx, organizationId),
        fileLimitBytes: limits.maxBytes,
        exports: await countExports(tx, organizationId),
      }))
    },

    listFull: async (tx, organizationId) => {
      const refusals = await listRefusals(tx, organizationId)
      if (refusals.length === 0) return []
      const limits = await findLimits(organizationId)
      const usage = toFileUsage(await listProjectFiles(tx, organizationId))
      return refusals
        .filter((refusal) => isFull({ organizationId, ...refusal }, limits, usage))
        .map(({ projectId, projectName, refusedAt }) => ({
          projectId,
          projectName,
          refusedAt: refusedAt.toISOString(),
        }))
    },
  }
}

async function requireFileRoom(
  { findLimits, findFileUsage, fullQuotas }: QuotaParts,
  { organizationId, projectId, bytes: neededBytes }: Extract<Demand, { kind: 'upload' }>,
): Promise<void> {
  const limits = await findLimits(organizationId)
  const usage = await findFileUsage(organizationId)
  const demands = [null, projectId].map((each) => ({ organizationId, projectId: each, neededBytes }))
  const refusal = demands.find((each) => isFull(each, limits, usage))
  if (!refusal) return
  await fullQuotas.note(refusal)
  throw new ProductError('file_quota_reached', { retryAfterSeconds: fileRetryAfterSeconds })
}

/** Whether a quota has no room for a file. */
function isFull({ projectId, neededBytes }: Refusal, { files }: Limits, usage: FileUsage): boolean {
  const used = projectId === null ? usage.usedBytes : (usage.projects.get(projectId) ?? 0)
  const max = projectId === null ? files.maxBytes : files.maxProjectBytes
  return max !== null && (used >= max || used + neededBytes > max)
}

async function requireImportRoom(database: Database, organizationId: string, limits: Limits): Promise<void> {
  const waiting = await database.asSystem(reason, (tx) => countWaitingImports(tx, organizationId))
  if (waiting >= limits.maxWaitingImports) throw new ProductError('import_quota_reached')
}

async function requireExportRoom(database: Database, organizationId: string, { exports }: Limits): Promise<void> {
  const { count, usedBytes } = await database.asSystem(reason, (tx) => countExports(tx, organizationId))
  if (exports.maxCount !== null && count >= exports.maxCount) {
    throw new ProductError('export_quota_reached', {
      detail: `Your organisation keeps ${count} exports, which is its limit. Delete one to make room.`,
    })
  }
  if (exports.maxBytes !== null && usedBytes >= exports.maxBytes) {
    throw new ProductError('export_quota_reached', {
      detail: `The exports of your organisation use ${exports.maxBytes / 1e9} GB, which is their limit. Delete one to make room.`,
    })
  }
}
