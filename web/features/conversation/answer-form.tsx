import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { maxCommentLength } from '#contract/conversation.ts'
import { addAnswer } from '#contract/visitor-conversation.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { conversationQuery } from './conversation-query.ts'

interface AnswerFormProps {
  token: string
  /** The team has replied, so the form may ask whether that helped. */
  hasReply: boolean
  /** The visitor already marked it as solved. */
  isSaidSolved: boolean
}

/** The form with which the visitor replies or marks the conversation as solved. */
export function AnswerForm({ token, hasReply, isSaidSolved }: AnswerFormProps) {
  const fieldId = useId()
  const [text, setText] = useState('')
  const [thanks, setThanks] = useState('')
  const sending = useSendAnswer(token, text, (solved) => {
    setText('')
    setThanks(solved ? 'Thank you. The team has been notified.' : 'Sent to the team.')
  })
  const isEmpty = text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmpty && !sending.isPending) sending.mutate({})
  }
  return (
    <form className="mt-8 border-border border-t pt-6" onSubmit={submit}>
      <label htmlFor={fieldId} className="font-medium text-lg">
        Reply
      </label>
      <Textarea
        id={fieldId}
        rows={4}
        maxLength={maxCommentLength}
        dir="auto"
        value={text}
        placeholder="Write to the team…"
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setThanks('')
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
        }}
        className="mt-2 text-lg"
      />
      {sending.error && (
        <p role="alert" className="mt-2 text-base text-danger-text">
          {sending.error.message}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={isEmpty} loading={sending.isPending && sending.variables.solved === undefined}>
          Send
        </Button>
        {hasReply && !isSaidSolved && (
          <Button
            variant="secondary"
            disabled={sending.isPending}
            loading={sending.isPending && sending.variables.solved === true}
            onClick={() => sending.mutate({ solved: true })}
          >
            <Check aria-hidden="true" />
            This solved it
          </Button>
        )}
        <output className="text-base text-muted">{thanks}</output>
      </div>
    </form>
  )
}

/** Sends the typed text, or that the problem is solved, or both. */
function useSendAnswer(token: string, text: string, onSent: (isSolved: boolean) => void) {
  const queryClient = useQueryClient()
  // The same id until the answer has arrived, so that clicking twice sends one.
  const pending = useRef({ id: uuidV7(), said: '' })
  return useMutation({
    networkMode: 'always',
    mutationFn: ({ solved }: { solved?: boolean }) => {
      const typed = text.trim()
      const said = JSON.stringify([typed, solved])
      // A changed text is another answer and gets a new id.
      if (pending.current.said !== said) pending.current = { id: uuidV7(), said }
      const body = {
        id: pending.current.id,
        ...(typed !== '' && { text: typed }),
        ...(solved !== undefined && { solved }),
      }
      return call(addAnswer, { params: { token }, body })
    },
    onSuccess: (message, { solved }) => {
      pending.current = { id: uuidV7(), said: '' }
      onSent(solved === true)
      const { queryKey } = conversationQuery(token)
      queryClient.setQueryData(queryKey, (conversation) => {
        if (!conversation || conversation.messages.some(({ id }) => id === message.id)) return conversation
        return { ...conversation, messages: [...conversation.messages, message] }
      })
      void queryClient.invalidateQueries({ queryKey })
    },
    onError: (error) => {
      // Deleted since: the page shows that it was not found.
      if (error instanceof ApiError && error.code === 'conversation_not_found') {
        void queryClient.resetQueries({ queryKey: conversationQuery(token).queryKey })
      }
    },
  })
}
