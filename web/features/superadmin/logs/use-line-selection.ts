import { useState } from 'react'
import type { LogLine } from '#contract/superadmin-logs.ts'

/** The line that the keyboard is at, and the lines that are open. */
export function useLineSelection(lines: readonly LogLine[], around: string) {
  const [currentId, setCurrentId] = useState<string | undefined>(undefined)
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    setCurrentId(id)
    setOpenIds((known) => (known.has(id) ? new Set([...known].filter((each) => each !== id)) : new Set([...known, id])))
  }
  const move = (by: number) => {
    const index = lines.findIndex(({ id }) => id === (currentId ?? around))
    setCurrentId(lines[Math.max(0, Math.min(lines.length - 1, index + by))]?.id)
  }
  return { currentId, openIds, toggle, move }
}
