import { useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import type { NewComment } from '#contract/conversation.ts'
import type { Mention } from './mentions.ts'

interface Draft {
  /** The comment's id: the same until it has arrived, so that pressing twice makes one. */
  id: string
  kind: NewComment['kind']
  text: string
  /** Members picked while writing. */
  mentions: readonly Mention[]
}

/** What was begun and not sent, by item, as long as the page lives: going to another item and back loses nothing. */
const drafts = new Map<string, Draft>()

const startDraft = (): Draft => ({ id: uuidV7(), kind: 'note', text: '', mentions: [] })

/** What is being written about an item. */
export function useDraft(itemId: string) {
  const [draft, setDraft] = useState(() => drafts.get(itemId) ?? startDraft())
  const latest = useRef(draft)
  const store = (next: Draft) => {
    latest.current = next
    if (next.text === '') drafts.delete(itemId)
    else drafts.set(itemId, next)
    setDraft(next)
  }
  return {
    draft,
    change: (part: Partial<Draft>) => store({ ...latest.current, ...part }),
    /** Forgets what has arrived; what was typed since stays. */
    finish: (sentText: string) => {
      const { kind, text, mentions } = latest.current
      store(text === sentText ? { ...startDraft(), kind } : { id: uuidV7(), kind, text, mentions })
    },
  }
}
