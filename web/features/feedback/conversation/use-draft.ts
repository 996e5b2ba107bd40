import { useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import type { NewComment } from '#contract/conversation.ts'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { findUnsent, keepUnsent, type UnsentText } from '#web/lib/unsent-texts.ts'
import type { Mention } from './mentions.ts'

interface Draft {
  /** The comment's id: the same until it has arrived, so that pressing twice makes one. */
  id: string
  /** Undefined: not decided yet, neither by a choice nor by typing. */
  kind: NewComment['kind'] | undefined
  text: string
  /** Members picked while writing. */
  mentions: readonly Mention[]
}

const startDraft = (kind?: NewComment['kind']): Draft => ({ id: uuidV7(), kind, text: '', mentions: [] })

const nameDraft = (itemId: string) => `comment ${itemId}`

/** The unsent draft about an item. */
export function findDraft(itemId: string): UnsentText | undefined {
  return findUnsent(nameDraft(itemId))
}

/** The draft about an item: it survives going to another item and back. */
export function useDraft({ id: itemId, number }: Pick<FeedbackListItem, 'id' | 'number'>) {
  const name = nameDraft(itemId)
  const [draft, setDraft] = useState((): Draft => findUnsent<UnsentText & Draft>(name) ?? startDraft())
  const latest = useRef(draft)
  const store = (next: Draft) => {
    latest.current = next
    keepUnsent(name, { ...next, label: `${next.kind === 'reply' ? 'Reply' : 'Note'} in #${number}` })
    setDraft(next)
  }
  return {
    draft,
    change: (part: Partial<Draft>) => store({ ...latest.current, ...part }),
    /**
     * Clears the sent text; text typed since stays, and so does a kind that was selected since. After a reply comes a
     * note: no reply is emailed by mistake.
     */
    finish: (sent: { typed: string; kind: NewComment['kind'] }) => {
      const { kind, text, mentions } = latest.current
      const isSelected = kind !== undefined && kind !== sent.kind
      const nextKind = isSelected ? kind : sent.kind === 'reply' ? 'note' : undefined
      store(text === sent.typed ? startDraft(nextKind) : { id: uuidV7(), kind, text, mentions })
    },
  }
}
