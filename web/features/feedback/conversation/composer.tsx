import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock, Reply } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { addComment, maxCommentLength, type NewComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { isUnanswered } from '#contract/filters.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { itemQuery } from '../feedback-queries.ts'
import { focusRow } from '../inbox/feedback-list.tsx'
import { MentionField } from './mention-field.tsx'
import { writeMentions } from './mentions.ts'
import { findPlaceholders } from './templates/fill-template.ts'
import { TemplateMenu } from './templates/template-menu.tsx'
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
  /** A text whose placeholders were pointed out when it was to be sent. */
  const [checkedText, setCheckedText] = useState<string>()
  const kind = item.location === 'trash' ? 'note' : (draft.kind ?? (isVisitorWaiting(item) ? 'reply' : 'note'))
  const sending = useAddComment(organizationId, item.id, finish)
  const isEmpty = draft.text.trim() === ''
  const unfilled = kind === 'reply' ? findPlaceholders(draft.text) : []
  const isChecked = unfilled.length > 0 && checkedText === draft.text
  const send = () => {
    if (isEmpty || sending.isPending) return
    if (unfilled.length > 0 && !isChecked) return setCheckedText(draft.text)
    const trimmed = draft.text.trim()
    const text = kind === 'note' ? writeMentions(trimmed, draft.mentions) : trimmed
    sending.mutate({ id: draft.id, kind, typed: draft.text, text })
  }
  const choose = (next: NewComment['kind']) => {
    change({ kind: next, id: uuidV7() })
    setSwitched(true)
  }
  // With its kind: a message that arrives meanwhile must not turn a note into a reply.
  const write = (text: string) => change({ text, kind, ...(sending.isError && { id: uuidV7() }) })
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
      <ComposerTop kind={kind} item={item} onChoose={choose} />
      {/* The button has its place before anything is typed: nothing moves under the pointer. */}
      <div className="flex items-end">
        <div className="min-w-0 flex-1">
          <MentionField
            ref={field}
            kind={kind}
            value={draft.text}
            maxLength={maxCommentLength}
            placeholder={describePlaceholder(kind, item)}
            onChange={write}
            onMention={(mention, text) => change({ text, kind, mentions: [...draft.mentions, mention] })}
            onSend={send}
            onLeave={() => {
              field.current?.blur()
              focusRow(document, item.id)
            }}
          />
        </div>
        {kind === 'reply' && <TemplateMenu item={item} text={draft.text} field={field} onInsert={write} />}
        <Button type="submit" size="sm" className="m-1" disabled={isEmpty} loading={sending.isPending}>
          {kind === 'note' ? <Lock aria-hidden="true" /> : <Reply aria-hidden="true" />}
          {kind === 'note' ? 'Add note' : isChecked ? 'Send anyway' : 'Send reply'}
        </Button>
      </div>
      <UnfilledNote placeholders={unfilled} />
      {sending.error && (
        <p role="alert" className="px-3 pb-2 text-danger-text text-sm">
          {sending.error.message}
        </p>
      )}
    </form>
  )
}

/** The message type and its readers. */
function ComposerTop({
  kind,
  item,
  onChoose,
}: {
  kind: NewComment['kind']
  item: FeedbackDetail
  onChoose: (kind: NewComment['kind']) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-border border-b px-2 pt-1">
      <KindButtons kind={kind} isInTrash={item.location === 'trash'} onChoose={onChoose} />
      <p className="min-w-0 truncate px-1 text-muted text-sm max-sm:w-full max-sm:pb-1 sm:ml-auto">
        {kind === 'note' ? 'Only your team sees this. Type @ to mention a teammate.' : describeWay(item)}
      </p>
    </div>
  )
}

/** Names placeholders that the visitor would read in double braces. */
function UnfilledNote({ placeholders }: { placeholders: readonly string[] }) {
  if (placeholders.length === 0) return null
  return (
    <p role="status" className="px-3 pb-2 text-sm text-warning-text [overflow-wrap:anywhere]">
      Not filled in: <bdi>{placeholders.join(', ')}</bdi>. The visitor would read this as it is.
    </p>
  )
}

/** Whether the visitor wrote last and can be answered. The conversation on screen may be newer than the row. */
function isVisitorWaiting(item: FeedbackDetail): boolean {
  const last = item.comments.findLast(({ kind }) => kind === 'reply')
  return last ? last.fromVisitor && last.solved !== true : isUnanswered(item)
}

/** Sends a comment and shows it at once. `onSent` gets the text as it was typed. */
function useAddComment(
  organizationId: string,
  feedbackId: string,
  onSent: (sent: { typed: string; kind: NewComment['kind'] }) => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: (sent: { id: string; kind: NewComment['kind']; typed: string; text: string }) =>
      call(addComment, {
        params: { organizationId, feedbackId },
        body: { id: sent.id, kind: sent.kind, text: sent.text },
      }),
    onSuccess: (comment, sent) => {
      onSent(sent)
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
    <div role="group" aria-label="Message type" className="flex gap-1">
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
