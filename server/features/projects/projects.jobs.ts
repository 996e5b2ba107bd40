import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import { removeForgottenVisitors, removeProjectFeedback } from '../feedback/retention.service.ts'
import { auditProjectRemoval, deleteProjectUploads, isBeingDeleted, removeProject } from './projects.queries.ts'

const DeletedProject = Type.Object({ organizationId: Uuid, projectId: Uuid })
const reason = 'a deleted project goes with what it held'

/** What is left of a deleted project goes, a little at a time. */
export function createProjectJobs(database: Database): Job[] {
  return [
    defineJob('delete_project', DeletedProject, async ({ organizationId, projectId }) => {
      const isLeft = await database.asSystem(reason, (tx) => isBeingDeleted(tx, organizationId, projectId))
      // Done before, by a run that did not live to say so.
      if (!isLeft) return
      const sum = await removeProjectFeedback(database, { organizationId, projectId })
      // Files that were sent and never announced.
      const uploads = await deleteInBatches((limit) =>
        database.asSystem(reason, (tx) => deleteProjectUploads(tx, organizationId, projectId, limit)),
      )
      await database.asSystem(reason, async (tx) => {
        await auditProjectRemoval(tx, { organizationId, projectId, items: sum.items, files: sum.files + uploads })
        await removeProject(tx, organizationId, projectId)
      })
      await removeForgottenVisitors(database)
    }) as Job,
  ]
}
