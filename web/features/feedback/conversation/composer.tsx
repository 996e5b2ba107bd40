import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock, Reply } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { addComment, maxCommentLength, type NewComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { itemQuery } from '../feedback-queries.ts'
import { focusRow } from '../inbox/feedback-list.tsx'
import { MentionField } from './mention-field.tsx'
import { writeMentions } from './mentions.ts'
import { useDraft } from './use-draft.ts'

const kinds = [
  { value: 'note', label: 'Internal note' },
  { value: 'reply', label: 'Reply' },
] as const

/** Where a note or a reply is written. Ctrl or Cmd with Enter sends, Escape goes back to the list and its keys. */
export function Composer({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const { draft, change, finish } = useDraft(item)
  const field = useRef<HTMLTextAreaElement>(null)
  const [hasSwitched, setSwitched] = useState(false)
  const isInTrash = item.location === 'trash'
  const kind = isInTrash ? 'note' : draft.kind
  const sending = useAddComment(organizationId, item.id, finish)
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
  // Selecting a kind means writing it: the field takes the focus.
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
      <KindButtons kind={kind} isInTrash={isInTrash} onChoose={choose} />
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
          {kind === 'note' ? 'Only your team sees this. Type @ to mention a teammate.' : describeWay(item)}
        </p>
        <Button type="submit" size="sm" className="ml-auto" disabled={isEmpty} loading={sending.isPending}>
          {kind === 'note' ? <Lock aria-hidden="true" /> : <Reply aria-hidden="true" />}
          {kind === 'note' ? 'Add note' : 'Send reply'}
        </Button>
      </div>
    </form>
  )
}

/** Sends a comment and shows it at once. `onSent` gets the text as it was typed. */
function useAddComment(organizationId: string, feedbackId: string, onSent: (typed: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: (sent: { id: string; kind: NewComment['kind']; typed: string; text: string }) =>
      call(addComment, {
        params: { organizationId, feedbackId },
        body: { id: sent.id, kind: sent.kind, text: sent.text },
      }),
    onSuccess: (comment, { typed }) => {
      onSent(typed)
      queryClient.setQueryData(itemQuery(organizationId, feedbackId).queryKey, (detail) => {
        if (!detail || detail.comments.some((each) => each.id === comment.id)) return detail
        return { ...detail, comments: [...detail.comments, comment] }
      })
    },
  })
}

/** The button of the other kind can be found by the keys that begin a reply or a note. */
function KindButtons({
  kind,
  isInTrash,
  onChoose,
}: {
  kind: NewComment['kind']
  isInTrash: boolean
  onChoose: (kind: NewComment['kind']) => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, not fields
    <div role="group" aria-label="Message type" className="flex gap-1 border-border border-b px-2 pt-1">
      {kinds
        .filter(({ value }) => value === 'note' || !isInTrash)
        .map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={kind === value}
            {...(kind !== value && { 'data-composer': value })}
            onClick={() => onChoose(value)}
            className={cn(
              '-mb-px h-9 rounded-t-sm border-transparent border-b-2 px-2 font-medium text-sm pointer-coarse:h-11',
              kind === value ? 'border-accent text-foreground' : 'text-muted hover:text-foreground',
            )}
          >
            {label}
          </button>
        ))}
    </div>
  )
}

function describePlaceholder(kind: NewComment['kind'], item: FeedbackDetail): string {
  if (kind === 'note') return 'Write a note…'
  return item.visitorName === null ? 'Write a reply…' : `Write to ${item.visitorName}…`
}

function describeWay({ visitorEmail }: FeedbackDetail) {
  if (visitorEmail === null) return 'No email address: the visitor can only read this in the widget.'
  return (
    <>
      Emailed to <bdi>{visitorEmail}</bdi>, with a link to reply.
    </>
  )
}
