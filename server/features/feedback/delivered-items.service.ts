import type { Attachment } from '#contract/files.ts'
import type { DeliveryRules } from '#contract/integrations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Files } from '../files/files.service.ts'
import {
  type DeliveredComment,
  findDeliveredComment,
  findProjectName,
  listMatching,
} from './delivered-items.queries.ts'

export type { DeliveredComment } from './delivered-items.queries.ts'

import { findItem, type WholeItem } from './feedback.queries.ts'

/** An item as other services get it: without what concerns the reader alone, its conversation and its issues. */
export interface DeliveredItem extends Omit<WholeItem, 'unread' | 'joinedVisitors' | 'issues'> {
  readonly projectName: string
  readonly attachments: Attachment[]
}

/** Items for integrations, which act for the organisation and not for a member. */
export interface DeliveredItems {
  /** Those of the ids whose items belong to the selection. Nothing of a project that is being deleted. */
  listMatching(
    tx: SystemTx,
    organizationId: string,
    rules: DeliveryRules,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>>
  /** Undefined: it no longer exists. Links to its files work for `linkDays`. */
  find(tx: SystemTx, organizationId: string, id: string, linkDays: number): Promise<DeliveredItem | undefined>
  findComment(tx: SystemTx, organizationId: string, id: string): Promise<DeliveredComment | undefined>
}

export function createDeliveredItems(files: Files): DeliveredItems {
  return {
    listMatching,
    find: async (tx, organizationId, id, linkDays) => {
      const found = await findItem(tx, organizationId, id)
      if (!found) return undefined
      const { unread, joinedVisitors, issues, ...item } = found
      const projectName = await findProjectName(tx, organizationId, item.projectId)
      // Its project is being deleted.
      if (projectName === undefined) return undefined
      const attachments = await files.listAttachments(tx, organizationId, [id], { linkDays })
      return { ...item, projectName, attachments: attachments.get(id) ?? [] }
    },
    findComment: findDeliveredComment,
  }
}
