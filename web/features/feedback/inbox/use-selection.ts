import { useCallback, useMemo, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'

interface Chosen {
  /** A selection under other filters no longer counts. */
  scope: string
  ids: ReadonlySet<string>
  /** All that match, whether loaded or not. */
  isEverything: boolean
  /** Where a range begins. */
  anchorId: string | undefined
}

const nothing: Omit<Chosen, 'scope'> = { ids: new Set(), isEverything: false, anchorId: undefined }

export interface Selection {
  /** The chosen ones of what is shown, in order. */
  items: readonly FeedbackListItem[]
  ids: ReadonlySet<string>
  isEverything: boolean
  /** Adds an item or takes it out; with `isRange`, all between it and the last one touched are added. */
  toggle: (id: string, isRange?: boolean) => void
  /** From one item to its neighbour, as with Shift and an arrow: what is left behind on the way back is taken out. */
  extend: (fromId: string, toId: string) => void
  chooseShown: () => void
  chooseEverything: () => void
  clear: () => void
}

/**
 * Which items of the list are chosen for a change of many.
 * @param scope what the list shows; another one starts with nothing chosen
 */
export function useSelection(shown: readonly FeedbackListItem[], scope: string): Selection {
  const [stored, setChosen] = useState<Chosen>({ scope, ...nothing })
  const chosen = stored.scope === scope ? stored : { scope, ...nothing }

  const change = useCallback(
    (next: (before: Chosen) => Omit<Chosen, 'scope'>) =>
      setChosen((before) => ({ scope, ...next(before.scope === scope ? before : { scope, ...nothing }) })),
    [scope],
  )
  const toggle = useCallback(
    (id: string, isRange = false) =>
      change(({ ids, anchorId }) => {
        const range = isRange && anchorId !== undefined ? listBetween(shown, anchorId, id) : undefined
        if (range) return { ids: new Set([...ids, ...range]), isEverything: false, anchorId: id }
        return { ids: toggleIn(ids, id), isEverything: false, anchorId: id }
      }),
    [change, shown],
  )
  const extend = useCallback(
    (fromId: string, toId: string) =>
      change(({ ids }) => {
        const next = new Set(ids)
        if (ids.has(fromId) && ids.has(toId)) next.delete(fromId)
        else next.add(fromId).add(toId)
        return { ids: next, isEverything: false, anchorId: toId }
      }),
    [change],
  )
  const chooseShown = useCallback(
    () => change(() => ({ ...nothing, ids: new Set(shown.map(({ id }) => id)) })),
    [change, shown],
  )
  const chooseEverything = useCallback(
    () => change(() => ({ ...nothing, ids: new Set(shown.map(({ id }) => id)), isEverything: true })),
    [change, shown],
  )
  const clear = useCallback(() => change(() => nothing), [change])

  const { ids, isEverything } = chosen
  const items = useMemo(() => {
    if (isEverything) return shown
    return ids.size === 0 ? [] : shown.filter(({ id }) => ids.has(id))
  }, [shown, ids, isEverything])
  const shownIds = useMemo(() => (isEverything ? new Set(items.map(({ id }) => id)) : ids), [items, ids, isEverything])
  return { items, ids: shownIds, isEverything, toggle, extend, chooseShown, chooseEverything, clear }
}

function toggleIn(ids: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

function listBetween(items: readonly FeedbackListItem[], a: string, b: string): string[] | undefined {
  const indexes = [items.findIndex(({ id }) => id === a), items.findIndex(({ id }) => id === b)]
  if (indexes.includes(-1)) return undefined
  return items.slice(Math.min(...indexes), Math.max(...indexes) + 1).map(({ id }) => id)
}
