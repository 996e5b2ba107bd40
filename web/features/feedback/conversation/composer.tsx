import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock, Reply } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { addComment, maxCommentLength, type NewComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { focusRow } from '../feedback-list.tsx'
import { itemQuery } from '../feedback-queries.ts'
import { MentionField } from './mention-field.tsx'
import { writeMentions } from './mentions.ts'
import { useDraft } from './use-draft.ts'

const kinds = [
  { value: 'note', label: 'Note for the team' },
  { value: 'reply', label: 'Reply to the visitor' },
] as const

/** Where a note or a reply is written. Ctrl or Cmd with Enter sends, Escape goes back to the list and its keys. */
export function Composer({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const queryClient = useQueryClient()
  const { draft, change, finish } = useDraft(item)
  const field = useRef<HTMLTextAreaElement>(null)
  const [hasSwitched, setSwitched] = useState(false)
  const isInTrash = item.place === 'trash'
  const kind = isInTrash ? 'note' : draft.kind
  const sending = useMutation({
    networkMode: 'always',
    mutationFn: (sent: { id: string; kind: NewComment['kind']; typed: string; text: string }) =>
      call(addComment, {
        params: { organizationId, feedbackId: item.id },
        body: { id: sent.id, kind: sent.kind, text: sent.text },
      }),
    onSuccess: (comment, { typed }) => {
      finish(typed)
      queryClient.setQueryData(itemQuery(organizationId, item.id).queryKey, (detail) => {
        if (!detail || detail.comments.some((each) => each.id === comment.id)) return detail
        return { ...detail, comments: [...detail.comments, comment] }
      })
    },
  })
  const isEmpty = draft.text.trim() === ''
  const send = () => {
    if (isEmpty || sending.isPending) return
    const text = draft.text.trim()
    sending.mutate({
      id: draft.id,
      kind,
      typed: draft.text,
      text: kind === 'note' ? writeMentions(text, draft.mentions) : text,
    })
  }
  const choose = (next: NewComment['kind']) => {
    change({ kind: next, id: uuidV7() })
    setSwitched(true)
  }
  // Whoever chose what to write wants to write it.
  useEffect(() => {
    if (!hasSwitched) return
    setSwitched(false)
    field.current?.focus()
  }, [hasSwitched])

  return (
    <form
      // The colours of what it becomes: what only the team reads looks unlike what leaves the house.
      className={cn(
        'flex flex-col rounded-lg border border-border shadow-sm',
        kind === 'note' ? 'bg-warning-soft/50' : 'bg-surface',
      )}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons, not fields */}
      <div role="group" aria-label="Who reads it" className="flex gap-1 border-border border-b px-2 pt-1">
        {kinds
          .filter(({ value }) => value === 'note' || !isInTrash)
          .map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={kind === value}
              {...(kind !== value && { 'data-composer': value })}
              onClick={() => choose(value)}
              className={cn(
                '-mb-px h-9 rounded-t-sm border-transparent border-b-2 px-2 font-medium text-sm pointer-coarse:h-11',
                kind === value ? 'border-accent text-foreground' : 'text-muted hover:text-foreground',
              )}
            >
              {label}
            </button>
          ))}
      </div>
      <MentionField
        ref={field}
        kind={kind}
        value={draft.text}
        maxLength={maxCommentLength}
        placeholder={describePlaceholder(kind, item)}
        onChange={(text) => change({ text, ...(sending.isError && { id: uuidV7() }) })}
        onMention={(mention, text) => change({ text, mentions: [...draft.mentions, mention] })}
        onSend={send}
        onLeave={() => {
          field.current?.blur()
          focusRow(document, item.id)
        }}
      />
      {sending.error && (
        <p role="alert" className="px-3 pb-1 text-danger-text text-sm">
          {sending.error.message}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 px-2 pb-2 pl-3">
        <p className="min-w-0 text-muted text-sm [overflow-wrap:anywhere]">
          {kind === 'note' ? 'Only your team sees this. Type @ to tell a colleague.' : describeWay(item)}
        </p>
        <Button type="submit" size="sm" className="ml-auto" disabled={isEmpty} loading={sending.isPending}>
          {kind === 'note' ? <Lock aria-hidden="true" /> : <Reply aria-hidden="true" />}
          {kind === 'note' ? 'Add note' : 'Send reply'}
        </Button>
      </div>
    </form>
  )
}

function describePlaceholder(kind: NewComment['kind'], item: FeedbackDetail): string {
  if (kind === 'note') return 'Write a note…'
  return item.visitorName === null ? 'Write to the visitor…' : `Write to ${item.visitorName}…`
}

function describeWay({ visitorEmail }: FeedbackDetail) {
  if (visitorEmail === null) return 'The visitor left no address: they see this in the widget, if at all.'
  return (
    <>
      Mailed to <bdi>{visitorEmail}</bdi>, with a link to answer.
    </>
  )
}
