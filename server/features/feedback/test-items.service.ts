import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { removeFeedback } from './retention/remove-feedback.queries.ts'
import { hasProject, listTestItems, namedTestItem, type TestItemRow } from './test-items.queries.ts'

/** Items that were sent to try the widget out, for those who run the instance. */
export interface TestItems {
  /** The latest, outside of the trash. @throws ProductError `project_not_found`. */
  list(project: { organizationId: string; projectId: string }): Promise<TestItemRow[]>
  /**
   * Permanently deletes one with its files, and records it for the organisation's audit log.
   *
   * @throws ProductError `feedback_not_found` for items that are no tests.
   */
  remove(item: { organizationId: string; feedbackId: string }): Promise<void>
}

const reason = 'superadmins try the widget of any project'
const listed = 10

export function createTestItems(database: Database): TestItems {
  return {
    list: (project) =>
      database.asSystem(reason, async (tx) => {
        if (!(await hasProject(tx, project))) throw new ProductError('project_not_found')
        return listTestItems(tx, project, listed)
      }),
    remove: ({ organizationId, feedbackId }) =>
      database.asSystem(reason, async (tx) => {
        const [removed] = await removeFeedback(tx, namedTestItem(organizationId, feedbackId), { withDuplicates: false })
        if (!removed) throw new ProductError('feedback_not_found')
        await recordEvent(tx, {
          organizationId,
          name: 'superadmin.test_item_removed',
          ids: [organizationId],
          payload: { number: removed.lastNumber },
          announced: 'never',
        })
      }),
  }
}
