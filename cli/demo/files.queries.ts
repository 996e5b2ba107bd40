import { sql } from 'kysely'
import { completeUpload, insertUpload, storeFindings } from '#server/features/files/files.queries.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { StoredDemoFile } from './store-files.ts'

/** Inserts the rows of stored files, as if they had been uploaded with their items and checked since. */
export async function insertFiles(tx: SystemTx, files: readonly StoredDemoFile[]): Promise<void> {
  for (const { upload, bytes, findings, feedbackId, position, createdAt } of files) {
    const { organizationId, id, kind, name } = upload
    if (!(await insertUpload(tx, upload))) throw new Error(`The demo's file ${id} has no project.`)
    await completeUpload(tx, upload, bytes)
    await storeFindings(tx, upload, findings)
    await sql`
      update uploads set created_at = ${createdAt}, completed_at = ${createdAt}
      where organization_id = ${organizationId} and id = ${id}
    `.execute(tx)
    await sql`
      insert into feedback_attachments (organization_id, id, feedback_id, kind, name, position, duration_ms, created_at)
      values (${organizationId}, ${id}, ${feedbackId}, ${kind}, ${name}, ${position}, ${findings.durationMs ?? null},
        ${createdAt})
    `.execute(tx)
  }
}
