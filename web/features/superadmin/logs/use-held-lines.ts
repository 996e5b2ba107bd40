import { useMemo, useState } from 'react'
import type { LogLine } from '#contract/superadmin-logs.ts'
import { mergeLines } from './merge-lines.ts'

/** Stored lines with those of the tail. Below the top, new lines wait: what is being read must not move. */
export function useHeldLines(stored: readonly LogLine[] | undefined, tailLines: readonly LogLine[]) {
  const [isAtTop, setIsAtTop] = useState(true)
  const [heldFrom, setHeldFrom] = useState<string | undefined>(undefined)
  const newest = tailLines[0]?.id
  if (isAtTop && heldFrom !== newest) setHeldFrom(newest)
  const held = isAtTop
    ? 0
    : Math.max(
        0,
        tailLines.findIndex(({ id }) => id === heldFrom),
      )
  const waiting = isAtTop ? 0 : heldFrom === undefined ? tailLines.length : held
  const lines = useMemo(() => mergeLines(stored ?? [], tailLines.slice(waiting)), [stored, tailLines, waiting])
  return { lines, waiting, setIsAtTop, release: () => setHeldFrom(newest) }
}
