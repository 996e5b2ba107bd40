import type { ImportLayout, ImportMapping } from '#contract/imports.ts'

/**
 * Values that name a visitor: the keys of the visitor and of its parts. Nothing is compared by parts of a value: the key
 * `n` names no one whose name contains an n.
 */
export interface VisitorNames {
  readonly isKey: (value: string) => boolean
  /** Whether it is a key and an address, in any letter case. A key without @ is no address. */
  readonly isAddress: (value: unknown) => boolean
}

export function nameVisitor(keys: readonly string[]): VisitorNames {
  const known = new Set(keys)
  const addresses = new Set(keys.filter((key) => key.includes('@')).map((key) => key.toLowerCase()))
  const isAddress = (value: unknown) => typeof value === 'string' && addresses.has(value.trim().toLowerCase())
  return { isAddress, isKey: (value) => known.has(value) || isAddress(value) }
}

/**
 * Whether a selection of items names the visitor: by its visitor filter, or by an address as its only search words. A
 * search for a bare id does not count, because a website may give a visitor any word as an id.
 */
export function isVisitorSelected(names: VisitorNames, selection: { visitor?: unknown; q?: unknown }): boolean {
  const { visitor, q } = selection
  return (typeof visitor === 'string' && names.isKey(visitor)) || names.isAddress(q)
}

/** Whether a saved view names the visitor, in its filters or as its name. */
export function isVisitorInView(names: VisitorNames, view: { name: string; search: string }): boolean {
  const search = new URLSearchParams(view.search)
  const selections = [
    ...search.getAll('visitor').map((visitor) => ({ visitor })),
    ...search.getAll('q').map((q) => ({ q })),
  ]
  return names.isAddress(view.name) || selections.some((selection) => isVisitorSelected(names, selection))
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
  return (cells) => cells.some((cell, at) => names.isAddress(cell) || (idColumns.has(at) && names.isKey(cell.trim())))
}
