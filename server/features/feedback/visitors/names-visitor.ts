import type { ImportLayout, ImportMapping } from '#contract/imports.ts'

/** A visitor as everything that may name them is compared: their key, and every address that was used under it. */
export interface ErasedVisitor {
  readonly key: string
  readonly addresses: readonly string[]
}

/** Values that name a visitor. Nothing is compared by parts: the key `n` names no one whose name contains an n. */
export interface VisitorNames {
  /** Addresses in small letters. A key without @ is none. */
  readonly addresses: ReadonlySet<string>
  readonly isKey: (value: string) => boolean
}

export function nameVisitor({ key, addresses }: ErasedVisitor): VisitorNames {
  const lower = [key, ...addresses].map((value) => value.toLowerCase()).filter((value) => value.includes('@'))
  return { addresses: new Set(lower), isKey: (value) => value === key || isSameAddress(key, value) }
}

function isSameAddress(key: string, value: string): boolean {
  return key.includes('@') && value.toLowerCase() === key.toLowerCase()
}

function isAddress(names: VisitorNames, value: unknown): boolean {
  return typeof value === 'string' && names.addresses.has(value.trim().toLowerCase())
}

/**
 * Whether a selection of items names the visitor: by its visitor filter, or by an address as its only search words. A
 * search for a bare id does not count, because a website may give a visitor any word as an id.
 */
export function isVisitorSelected(names: VisitorNames, selection: { visitor?: unknown; q?: unknown }): boolean {
  const { visitor, q } = selection
  if (typeof visitor === 'string' && (names.isKey(visitor) || isAddress(names, visitor))) return true
  return isAddress(names, q)
}

/** Whether a saved view names the visitor, in its filters or as its name. */
export function isVisitorInView(names: VisitorNames, view: { name: string; search: string }): boolean {
  const search = new URLSearchParams(view.search)
  const selections = [
    ...search.getAll('visitor').map((visitor) => ({ visitor })),
    ...search.getAll('q').map((q) => ({ q })),
  ]
  return isAddress(names, view.name) || selections.some((selection) => isVisitorSelected(names, selection))
}

/**
 * Tells which rows of an imported file name the visitor: an address in any cell, an id in a column of visitors' ids
 * alone. A bare id such as `yes` would match the cells of other columns.
 */
export function createRowMatcher(
  names: VisitorNames,
  layout: ImportLayout,
  mapping: ImportMapping | null,
): (cells: readonly string[]) => boolean {
  const columns = [...(mapping?.columns ?? []), ...layout.suggestion.columns]
  const idColumns = new Set(columns.filter(({ field }) => field === 'visitorId').map(({ column }) => column))
  return (cells) => cells.some((cell, at) => isAddress(names, cell) || (idColumns.has(at) && names.isKey(cell.trim())))
}
