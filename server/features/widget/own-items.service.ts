import type { OwnItem } from '#contract/widget.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { IdentityKeys } from './identity.ts'
import { findOwnItems } from './own-items.queries.ts'
import { hashVisitorKey } from './stored-submission.ts'
import type { Widget } from './widget.queries.ts'

/** By what a visitor asks: the browser's secret, or the id that the site vouched for. */
export interface VisitorClaim {
  readonly key: string | undefined
  readonly id: string | undefined
  readonly hash: string | undefined
}

export interface OwnItems {
  /** Newest first, at most 50. A wrong or missing claim gets an empty list, without a reason. */
  list(widget: Widget, claim: VisitorClaim): Promise<OwnItem[]>
}

const keyShape = /^[A-Za-z0-9_-]{22}$/

export function createOwnItems(database: Database, identityKeys: IdentityKeys): OwnItems {
  return {
    list: async (widget, { key, id, hash }) => {
      if (!widget.settings.ownItems) return []
      const isKnown = id !== undefined && hash !== undefined && identityKeys.verify(widget, id, hash)
      const visitorId = isKnown ? id : undefined
      const keyHash = key !== undefined && keyShape.test(key) ? hashVisitorKey(key) : undefined
      if (visitorId === undefined && keyHash === undefined) return []
      return database.asSystem('a visitor asks for items by a secret of their own', (tx) =>
        findOwnItems(tx, widget, { visitorId, keyHash }),
      )
    },
  }
}
