import { hashPassword } from '#server/features/auth/accounts/password.ts'
import { toStoredSubmission } from '#server/features/widget/stored-submission.ts'
import type { Database } from '#server/platform/database/database.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { createChance } from './chance.ts'
import { dayMs } from './choose-time.ts'
import { composeDemo, type Demo, demoDays, importedProjectId } from './compose-demo.ts'
import { type ContentRows, replaceDemo } from './demo.queries.ts'
import { describeImport } from './import-items.ts'
import { admin, demoMembers, demoOrganization, owner } from './people.ts'
import { demoViews } from './saved-views.ts'
import { type StoredDemoFile, storeFiles } from './store-files.ts'

/**
 * Recreates the demo organisation in one transaction: a failure changes nothing, files included. The product removes
 * the files of the previous demo, as for any deleted organisation.
 *
 * @throws StartError when another account has one of its addresses
 */
export async function fillDemo(database: Database, storage: Storage, password: string, now: Date): Promise<void> {
  const users = await Promise.all(
    demoMembers.map(async (member, index) => ({
      id: member.id,
      email: member.email,
      password_hash: await hashPassword(password),
      full_name: member.fullName,
      created_at: joinedAt(now, index),
    })),
  )
  const demo = composeDemo(now)
  const keys: string[] = []
  try {
    const files = await storeFiles(storage, demoOrganization.id, demo.items, (key) => keys.push(key))
    const taken = await replaceDemo(database, users, toRows(demo, files, now))
    if (taken !== undefined) {
      throw new StartError(`${taken} is an account that the demo did not make. Nothing was changed.`)
    }
  } catch (error) {
    // The original error is reported even when the storage is unreachable.
    await Promise.allSettled(keys.map((key) => storage.remove(key)))
    throw error
  }
}

/** They joined one after the other, before the first feedback. */
function joinedAt(now: Date, index: number): Date {
  return new Date(now.getTime() - (demoDays + 5) * dayMs + index * 5 * 3_600_000)
}

function toRows(demo: Demo, files: readonly StoredDemoFile[], now: Date): ContentRows {
  const chance = createChance(7)
  return {
    organization: { ...demoOrganization, created_at: joinedAt(now, 0) },
    memberships: demoMembers.map(({ id, role }, index) => ({ user_id: id, role, joined_at: joinedAt(now, index) })),
    projects: demo.projects.map(({ id, name, domain, widgetKey }) => ({
      id,
      name,
      domain,
      key: widgetKey,
      created_at: joinedAt(now, 1),
    })),
    feedback: demo.items.map((item) => ({
      ...toStoredSubmission(
        item.submission,
        { organizationId: demoOrganization.id, projectId: item.projectId },
        {
          source: item.source === 'test' ? 'test' : 'widget',
          visitorVerified: item.visitorVerified,
          spamReason: item.spamReason,
        },
      ),
      number: item.number,
      source: item.source,
      status: item.status,
      closed_reason: item.closedReason,
      priority: item.priority,
      version: item.version,
      created_at: item.createdAt,
      updated_at: item.updatedAt,
      first_viewed_at: item.firstViewedAt,
      resolved_at: item.resolvedAt,
      archived_at: item.archivedAt,
      deleted_at: item.deletedAt,
      merged_into: item.mergedInto,
      assignee_user_id: item.assigneeUserId,
      first_response_at: item.firstResponseAt,
      media_kinds: [...new Set(item.files.map(({ file }) => file.kind))].sort(),
    })),
    files,
    counts: demo.counts,
    comments: demo.items.flatMap((item) =>
      item.comments.map(({ kind, text, authorUserId, at, solved }) => ({
        id: chance.uuid(at),
        feedback_id: item.submission.id,
        kind,
        author_user_id: authorUserId,
        text,
        created_at: at,
        from_visitor: authorUserId === null,
        solved,
        delivery: kind === 'reply' && authorUserId !== null ? 'sent' : null,
      })),
    ),
    events: demo.items.flatMap((item) =>
      item.events.map((event) => ({
        id: chance.uuid(event.at),
        feedback_id: item.submission.id,
        actor_user_id: event.actorUserId,
        field: event.field,
        from_value: event.from,
        to_value: event.to,
        created_at: event.at,
      })),
    ),
    surroundings: {
      views: demoViews,
      exports: [
        { id: chance.uuid(now), created_by: owner.id, format: 'xlsx', selection: {} },
        { id: chance.uuid(now), created_by: admin.id, format: 'csv', selection: { type: ['bug'] } },
      ],
      import: { ...describeImport(demo.items, importedProjectId, now), created_by: admin.id },
    },
  }
}
