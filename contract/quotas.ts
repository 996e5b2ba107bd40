import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

/** Bytes in use; `limitBytes` null: no limit. */
const Space = { usedBytes: Type.Integer(), limitBytes: nullable(Type.Integer()) }

/** How much storage an organisation uses, and how much it may use. */
export const StorageUsage = Type.Object({
  /** Visitors' files of all projects. */
  files: Type.Object({
    ...Space,
    count: Type.Integer(),
    /** What one project may use; null: no limit of its own. */
    projectLimitBytes: nullable(Type.Integer()),
    /** The largest first; projects without files are left out. */
    projects: Type.Array(
      Type.Object({ projectId: Uuid, name: Type.String(), usedBytes: Type.Integer(), count: Type.Integer() }),
    ),
  }),
  /** Exports that can be downloaded, are waiting or are being written. */
  exports: Type.Object({ ...Space, count: Type.Integer(), maxCount: nullable(Type.Integer()) }),
})
export type StorageUsage = Static<typeof StorageUsage>

/** A quota of files that refused a visitor's file, and has no room for it yet. */
export const FullQuota = Type.Object({
  /** Null: the quota of the whole organisation. */
  projectId: nullable(Uuid),
  projectName: nullable(Type.String()),
  /** When a file was refused last. */
  refusedAt: Timestamp,
})
export type FullQuota = Static<typeof FullQuota>

export const getStorageUsage = route({
  operationId: 'getStorageUsage',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/storage',
  summary: 'Read how much storage files and exports use, and their limits',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: StorageUsage },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})
