import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock, Reply } from 'lucide-react'
import { useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { addComment, type FeedbackComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { Section } from './feedback-facts.tsx'
import { itemQuery } from './feedback-queries.ts'

/** Notes of the team and replies to the visitor, and where to write one. */
export function Conversation({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const { can } = useOrganization()
  return (
    <Section title="Conversation">
      {item.comments.length > 0 && (
        <ol className="mb-3 flex flex-col gap-3">
          {item.comments.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {can('comment_feedback') && <Composer key={item.id} organizationId={organizationId} item={item} />}
    </Section>
  )
}

function Comment({ comment }: { comment: FeedbackComment }) {
  const isReply = comment.kind === 'reply'
  return (
    <li
      className={`rounded-md border px-3 py-2 text-base ${isReply ? 'border-border bg-surface' : 'border-transparent bg-sunken'}`}
    >
      <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
        <bdi className="font-medium text-foreground">{comment.authorName ?? 'Somebody'}</bdi>
        <RelativeTime iso={comment.createdAt} />
        <Badge tone={isReply ? 'info' : 'neutral'}>{isReply ? 'Reply' : 'Note'}</Badge>
      </p>
      <p dir="auto" className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]">
        {comment.text}
      </p>
    </li>
  )
}

function Composer({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<FeedbackComment['kind']>('note')
  const [text, setText] = useState('')
  // The same until it has arrived, so that pressing twice makes one.
  const id = useRef(uuidV7())
  const sending = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      call(addComment, {
        params: { organizationId, feedbackId: item.id },
        body: { id: id.current, kind, text: text.trim() },
      }),
    onSuccess: (comment) => {
      id.current = uuidV7()
      setText('')
      queryClient.setQueryData(itemQuery(organizationId, item.id).queryKey, (detail) => {
        if (!detail || detail.comments.some((each) => each.id === comment.id)) return detail
        return { ...detail, comments: [...detail.comments, comment] }
      })
    },
  })
  const isEmpty = text.trim() === ''
  const send = () => {
    if (!isEmpty && !sending.isPending) sending.mutate()
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Segmented
        label="Who reads it"
        value={kind}
        options={[
          { value: 'note', label: 'Note for the team' },
          { value: 'reply', label: 'Reply to the visitor' },
        ]}
        onChange={(next) => {
          id.current = uuidV7()
          setKind(next)
        }}
        className="self-start"
      />
      <Textarea
        aria-label={kind === 'note' ? 'Note' : 'Reply'}
        rows={3}
        maxLength={10_000}
        dir="auto"
        value={text}
        placeholder={
          kind === 'note' ? 'Only your team sees this.' : 'The visitor sees this in the widget, under what they sent.'
        }
        onChange={({ currentTarget }) => {
          // Other words are another comment.
          if (sending.isError) id.current = uuidV7()
          setText(currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
        }}
      />
      {sending.error && (
        <p role="alert" className="text-danger-text text-sm">
          {sending.error.message}
        </p>
      )}
      <Button type="submit" size="sm" className="self-end" disabled={isEmpty} loading={sending.isPending}>
        {kind === 'note' ? <Lock aria-hidden="true" /> : <Reply aria-hidden="true" />}
        {kind === 'note' ? 'Add note' : 'Send reply'}
      </Button>
    </form>
  )
}
