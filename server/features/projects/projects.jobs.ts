import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { FeedbackFeature } from '../feedback/feedback.feature.ts'
import { deleteProjectUploads, isBeingDeleted, removeProject } from './projects.queries.ts'

export interface ProjectNeeds {
  readonly feedback: Pick<FeedbackFeature, 'removeProjectFeedback' | 'removeForgottenVisitors'>
}

const DeletedProject = Type.Object({ organizationId: Uuid, projectId: Uuid })
const reason = 'a deleted project goes with what it held'

/** Deletes the rest of a deleted project in batches. */
export function createProjectJobs(database: Database, { feedback }: ProjectNeeds): Job[] {
  return [
    defineJob('delete_project', DeletedProject, async ({ organizationId, projectId }) => {
      const isLeft = await database.asSystem(reason, (tx) => isBeingDeleted(tx, organizationId, projectId))
      // Done before, by a run that did not live to say so.
      if (!isLeft) return
      const sum = await feedback.removeProjectFeedback({ organizationId, projectId })
      // Files that were sent and never announced.
      const uploads = await deleteInBatches((limit) =>
        database.asSystem(reason, (tx) => deleteProjectUploads(tx, organizationId, projectId, limit)),
      )
      await database.asSystem(reason, async (tx) => {
        await recordEvent(tx, {
          organizationId,
          name: 'project.removed',
          ids: [projectId],
          payload: { items: sum.items, files: sum.files + uploads },
          announced: 'never',
        })
        await removeProject(tx, organizationId, projectId)
      })
      await feedback.removeForgottenVisitors()
    }),
  ]
}
