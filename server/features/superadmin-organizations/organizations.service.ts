import {
  type InstanceOrganization,
  type InstanceOrganizationDetail,
  type InstanceOrganizationStorage,
  itemCountLimit,
  type OrganizationFilters,
} from '#contract/superadmin-organizations.ts'
import { isUuid } from '#contract/uuid.ts'
import { getEntitlements } from '#server/features/billing/billing.service.ts'
import type { Quotas } from '#server/features/quotas/quotas.service.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createDownloadableList } from '#server/platform/events/downloadable-list.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import * as queries from './organizations.queries.ts'
import { getOrganization, toOrganization } from './read-organization.ts'
import { findSuspension } from './suspension.queries.ts'

const pageSize = 50
const shownAtMost = 50
const reason = 'superadmins see all organisations'

export type InstanceOrganizations = ReturnType<typeof createInstanceOrganizations>

/** The organisations of the instance, as superadmins read them. */
export function createInstanceOrganizations(database: Database, quotas: Pick<Quotas, 'readStored'>) {
  return {
    ...createDownloadableList(database, {
      name: 'Organisations',
      file: 'organizations',
      columns: [
        ...['id', 'name', 'slug', 'created_at', 'status', 'plan', 'members', 'projects', 'items_30_days'],
        ...['suspended_at', 'closed_at'],
      ],
      pageSize,
      find: (filters: OrganizationFilters, page: { after: queries.OrganizationPlace | undefined; limit: number }) =>
        database.asSystem(reason, (tx) => queries.listOrganizations(tx, filters, page)),
      placeOf: ({ value, id }): queries.OrganizationPlace => ({ value, id }),
      readCursor: readPlace,
      writeCursor: writePlace,
      toItem: toOrganization,
      toCells,
    }),

    /** @throws ProductError `organization_not_found`. */
    get: (organizationId: string): Promise<InstanceOrganizationDetail> =>
      database.asSystem(reason, async (tx) => {
        const organization = await getOrganization(tx, organizationId)
        const members = await queries.listMembers(tx, organizationId, shownAtMost)
        return {
          ...toOrganization(organization),
          suspension: (await findSuspension(tx, organizationId)) ?? null,
          isBeingRemoved: organization.deleteAfter !== null && organization.deleteAfter.getTime() <= Date.now(),
          itemCount: await queries.countItems(tx, organizationId, itemCountLimit),
          entitlements: await getEntitlements(tx, organizationId),
          members: members.map(({ joinedAt, ...member }) => ({ ...member, joinedAt: joinedAt.toISOString() })),
          projects: await queries.listProjects(tx, organizationId, shownAtMost),
          days: await queries.listUsageDays(tx, organizationId),
        }
      }),

    /** @throws ProductError `organization_not_found`. */
    getStorage: async (organizationId: string): Promise<InstanceOrganizationStorage> => {
      await database.asSystem(reason, (tx) => getOrganization(tx, organizationId))
      const { files, fileLimitBytes, exports } = await quotas.readStored(organizationId)
      return {
        files: files.map((each) => ({ ...each })),
        fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        fileCount: files.reduce((sum, { count }) => sum + count, 0),
        fileLimitBytes,
        exportBytes: exports.usedBytes,
        exportCount: exports.count,
      }
    },
  }
}

function toCells(organization: InstanceOrganization): Cell[] {
  const { id, name, slug, createdAt, status, planName, memberCount, projectCount, recentItems } = organization
  const { suspendedAt, closedAt } = organization
  return [id, name, slug, createdAt, status, planName, memberCount, projectCount, recentItems, suspendedAt, closedAt]
}

const idLength = 36

function writePlace({ value, id }: queries.OrganizationPlace): string {
  return Buffer.from(`${id}${value}`).toString('base64url')
}

/** @throws ProductError `validation_failed` for a cursor of another order, or a foreign one. */
function readPlace(cursor: string, { order }: OrganizationFilters): queries.OrganizationPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, value] = [text.slice(0, idLength), text.slice(idLength)]
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(value) && !Number.isNaN(Date.parse(value))
  if (!isUuid(id) || (order !== 'name' && !isTime) || value.includes('\0')) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { value, id }
}
