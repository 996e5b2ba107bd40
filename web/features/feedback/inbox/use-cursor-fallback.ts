import { useEffect, useEffectEvent, useRef } from 'react'

interface Row {
  readonly id: string
}

/**
 * When the row on which the keyboard stands leaves the list, by a change of many or by a colleague's, the next that
 * stays takes over, or else the one before.
 * @param rowId where the keyboard stands; undefined: nowhere
 * @param scope what the list shows; another list starts without a fallback
 */
export function useCursorFallback(
  rows: readonly Row[],
  rowId: string | undefined,
  scope: string,
  onLost: (nextId: string) => void,
): void {
  const last = useRef({ rows, scope })
  const follow = useEffectEvent(() => {
    const before = last.current
    last.current = { rows, scope }
    if (rowId === undefined || before.scope !== scope || rows.some(({ id }) => id === rowId)) return
    const index = before.rows.findIndex(({ id }) => id === rowId)
    if (index === -1) return
    const left = new Set(rows.map(({ id }) => id))
    const isLeft = ({ id }: Row) => left.has(id)
    const next = before.rows.slice(index).find(isLeft) ?? before.rows.slice(0, index).findLast(isLeft)
    if (next) onLost(next.id)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the rows or the cursor change
  useEffect(() => follow(), [rows, rowId, scope])
}
