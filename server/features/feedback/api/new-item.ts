import type { NewApiFeedback } from '#contract/public-api.ts'
import type { Submission } from '#contract/widget.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findProjectState } from './key-project.queries.ts'

/** What a program sent, as what a visitor would have sent. */
export function toSubmission({ visitor = {}, page, ...said }: NewApiFeedback, id: string): Submission {
  return {
    ...said,
    id,
    page: page ?? { url: '' },
    ...(visitor.email !== undefined && { email: visitor.email }),
    ...(visitor.name !== undefined && { name: visitor.name }),
    ...(visitor.id !== undefined && { visitor: { id: visitor.id } }),
  }
}

/**
 * Ingest runs past row-level security, so whether the key still reaches its project is asked here.
 *
 * @throws ProductError `project_not_found`, `project_archived`.
 */
export async function requireOpenProject(
  tx: TenantTx,
  project: { organizationId: string; projectId: string },
): Promise<void> {
  const state = await findProjectState(tx, project)
  if (!state) throw new ProductError('project_not_found')
  if (state.isArchived) throw new ProductError('project_archived')
}
