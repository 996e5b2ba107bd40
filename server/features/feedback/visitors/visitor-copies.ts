import type { Database } from '#server/platform/database/database.ts'
import { FileMissingError, type Storage } from '#server/platform/storage/storage.ts'
import { numberSubject } from '../export/export-subjects.ts'
import { UnreadableFileError } from '../import/import-file.ts'
import { readRows } from '../import/import-rows.ts'
import {
  deleteCopies,
  type ExportCopy,
  type ImportCopy,
  listExportCopies,
  listImportCopies,
  listViewCopies,
  restartRunningExports,
  setFirstRows,
  stopImport,
} from './copies.queries.ts'
import type { ErasureScope } from './erase-visitor.queries.ts'
import { createRowMatcher, isVisitorInView, isVisitorSelected, nameVisitor } from './names-visitor.ts'

/** What else names a visitor, besides items. */
export interface VisitorCopies {
  /** Ids of saved views that name the visitor. */
  readonly views: readonly string[]
  /** Ids of exports whose file contains the visitor's items, or that select the visitor. */
  readonly exports: readonly string[]
  /** Imports whose waiting file contains the visitor. */
  readonly imports: readonly ImportCopy[]
  /** Imports whose file could not be read in time. */
  readonly unreadImports: number
}

interface CopyParts {
  readonly database: Database
  readonly storage: Pick<Storage, 'read'>
}

const reason = 'copies of a visitor’s data are found among all members’ exports, imports and private views'
/** States in which an import stored nothing yet: it can be sent again, without the visitor. */
const withoutItems: readonly ImportCopy['state'][] = ['waiting', 'uploaded', 'checking', 'checked']

/**
 * Finds the copies of a visitor's data that an erasure deletes. Values are compared whole, never by parts.
 *
 * @param keys of the visitor and of its parts.
 * @param maxReadMs how long files of imports may be read; the others count as unread.
 */
export async function findCopies(
  { database, storage }: CopyParts,
  scope: ErasureScope,
  keys: readonly string[],
  maxReadMs = Number.POSITIVE_INFINITY,
): Promise<VisitorCopies> {
  const names = nameVisitor(keys)
  const { views, exports, imports } = await database.asSystem(reason, async (tx) => ({
    views: await listViewCopies(tx, scope),
    exports: await listExportCopies(tx, scope, numberVisitor(scope.organizationId, keys)),
    imports: await listImportCopies(tx, scope),
  }))
  const isCopy = ({ containsItems, selection }: ExportCopy) => containsItems || isVisitorSelected(names, selection)
  const until = performance.now() + maxReadMs
  const found: ImportCopy[] = []
  let unreadImports = 0
  for (const each of imports) {
    const isFound = await isInWaitingFile(storage, each, createRowMatcher(names, each.layout, each.mapping), until)
    if (isFound === undefined) unreadImports += 1
    else if (isFound) found.push(each)
  }
  return {
    views: views.filter((view) => isVisitorInView(names, view)).map(({ id }) => id),
    exports: exports.filter(isCopy).map(({ id }) => id),
    imports: found,
    unreadImports,
  }
}

function numberVisitor(organizationId: string, keys: readonly string[]): string[] {
  return keys.flatMap((key) => [
    numberSubject(organizationId, 'id', key),
    numberSubject(organizationId, 'address', key),
  ])
}

/** Undefined when time ran out before the end of the file. */
async function isInWaitingFile(
  storage: CopyParts['storage'],
  { storageKey, layout }: ImportCopy,
  isTheirs: (cells: readonly string[]) => boolean,
  until: number,
): Promise<boolean | undefined> {
  if (storageKey === null) return false
  try {
    const file = await storage.read(storageKey)
    try {
      for await (const { cells } of readRows(file, layout)) {
        if (cells && isTheirs(cells)) return true
        if (performance.now() > until) return undefined
      }
      return false
    } finally {
      file.destroy()
    }
  } catch (error) {
    // Rows behind an unreadable place are never imported.
    if (error instanceof FileMissingError || error instanceof UnreadableFileError) return false
    throw error
  }
}

/** Deletes the copies of a visitor's data in the scope. Call after the last item was removed. */
export async function deleteVisitorCopies(
  parts: CopyParts,
  scope: ErasureScope,
  keys: readonly string[],
): Promise<void> {
  const { database } = parts
  const { organizationId } = scope
  // First: an export that is ready after this began after the items were gone, or has a complete list of visitors.
  await database.asSystem(reason, (tx) => restartRunningExports(tx, scope))
  const { views, exports, imports } = await findCopies(parts, scope, keys)
  await database.asSystem(reason, async (tx) => {
    await deleteCopies(tx, organizationId, 'saved_views', views)
    await deleteCopies(tx, organizationId, 'exports', exports)
    const isUnused = ({ state }: ImportCopy) => withoutItems.includes(state)
    await deleteCopies(
      tx,
      organizationId,
      'imports',
      imports.filter(isUnused).map(({ id }) => id),
    )
    for (const each of imports) if (!isUnused(each)) await stopImport(tx, organizationId, each)
    const names = nameVisitor(keys)
    for (const { id, layout, mapping } of await listImportCopies(tx, scope)) {
      const isTheirs = createRowMatcher(names, layout, mapping)
      const kept = layout.rows.filter((cells) => !isTheirs(cells))
      if (kept.length < layout.rows.length) await setFirstRows(tx, organizationId, id, kept)
    }
  })
}
