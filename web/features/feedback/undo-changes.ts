import type { InboxStore } from './store/shared-store.ts'

/** So many changes can be undone one after another. */
const maxKept = 20

/** What undoes the changes made in this tab, the latest last. */
const undosOf = new WeakMap<InboxStore, (() => void)[]>()

/**
 * Keeps a change for {@link undoLastChange}.
 * @returns `undo` undoes it, once, and `forget` drops a change that the server refused
 */
export function keepUndo(store: InboxStore, undoChange: () => void): { undo: () => void; forget: () => void } {
  const kept = undosOf.get(store) ?? []
  undosOf.set(store, kept)
  let isOver = false
  const forget = () => {
    isOver = true
    const index = kept.indexOf(undo)
    if (index !== -1) kept.splice(index, 1)
  }
  const undo = () => {
    if (isOver) return
    forget()
    undoChange()
  }
  kept.push(undo)
  if (kept.length > maxKept) kept.shift()
  return { undo, forget }
}

/** Undoes the latest change. False: there is none. */
export function undoLastChange(store: InboxStore): boolean {
  const last = undosOf.get(store)?.at(-1)
  last?.()
  return last !== undefined
}
