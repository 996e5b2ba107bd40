import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { statusLabels } from '#contract/feedback-labels.ts'
import type { VisitorConversation, VisitorMessage } from '#contract/visitor-conversation.ts'
import { ApiError } from '#web/lib/api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { cn } from '#web/ui/class-names.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AnswerForm } from './answer-form.tsx'
import { conversationQuery } from './conversation-query.ts'

/**
 * The page behind the link in a reply: the visitor's message, its status, the replies and a form to answer. Needs no
 * account.
 */
export function ConversationScreen({ token }: { token: string }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <LoadedConversation token={token} />
    </QueryClientProvider>
  )
}

function LoadedConversation({ token }: { token: string }) {
  const quiet = useQuietTime()
  const { data, error, refetch } = useQuery(conversationQuery(token, quiet.read))
  // Data that did not change stays the same object.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new data is what happened
  useEffect(quiet.restart, [data])
  if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
    return (
      <Frame>
        <div className="flex flex-col items-center py-16 text-center">
          <Link2Off aria-hidden="true" className="mb-4 size-8 text-muted" />
          <h1 className="font-semibold text-2xl tracking-tight">Conversation not found</h1>
          <p className="mt-2 max-w-sm text-balance text-lg text-muted">
            It was deleted, or the link is incomplete. Open the link from the email again, or contact the site again.
          </p>
        </div>
      </Frame>
    )
  }
  if (error && !data) {
    return (
      <Frame>
        <h1 className="sr-only">Your conversation</h1>
        <LoadFailure title="Couldn’t load the conversation" error={error} onRetry={() => refetch()} />
      </Frame>
    )
  }
  if (!data) return <LoadingConversation />
  return <OpenConversation token={token} conversation={data} />
}

/** Measures for how long nothing happened: no key, no press, no call of `restart`. */
function useQuietTime(): { read: () => number; restart: () => void } {
  const since = useRef(Date.now())
  const [quiet] = useState(() => ({
    read: () => Date.now() - since.current,
    restart: () => {
      since.current = Date.now()
    },
  }))
  useEffect(() => {
    const events = ['keydown', 'pointerdown', 'visibilitychange']
    for (const event of events) document.addEventListener(event, quiet.restart)
    return () => {
      for (const event of events) document.removeEventListener(event, quiet.restart)
    }
  }, [quiet])
  return quiet
}

const statuses: Record<VisitorConversation['status'], { label: string; tone: BadgeTone; text: string }> = {
  new: { label: 'Received', tone: 'neutral', text: 'The team has your message.' },
  open: { label: statusLabels.open, tone: 'info', text: 'The team knows about it.' },
  in_progress: { label: statusLabels.in_progress, tone: 'accent', text: 'The team is working on it.' },
  resolved: {
    label: statusLabels.resolved,
    tone: 'success',
    text: 'The team has marked this as done. If it isn’t solved, reply below to reopen it.',
  },
  closed: {
    label: statusLabels.closed,
    tone: 'neutral',
    text: 'The team has closed this. You can still reply below.',
  },
}

function OpenConversation({ token, conversation }: { token: string; conversation: VisitorConversation }) {
  const { projectName, domain, number, status, message, createdAt, messages } = conversation
  const { label, tone, text } = statuses[status]
  const hasReply = messages.some(({ fromVisitor }) => !fromVisitor)
  useTitle(`Your message #${number} · ${projectName}`)
  const isSaidSolved = messages.findLast(({ fromVisitor }) => fromVisitor)?.solved === true
  return (
    <Frame projectName={projectName} domain={domain}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="font-semibold text-2xl tracking-tight">
          Your message <span className="text-muted tabular-nums">#{number}</span>
        </h1>
        <Badge tone={tone}>
          <span className="sr-only">Status: </span>
          {label}
        </Badge>
      </div>
      <p className="mt-1 text-base text-muted">{text}</p>
      <ol aria-label="Conversation" aria-live="polite" className="mt-6 flex flex-col gap-4">
        <Message author="You" isOwn createdAt={createdAt}>
          {message === '' ? <span className="text-muted">You sent an attachment or rating.</span> : message}
        </Message>
        {messages.map((each) => (
          <Said key={each.id} message={each} projectName={projectName} />
        ))}
      </ol>
      <AnswerForm token={token} hasReply={hasReply} isSaidSolved={isSaidSolved} />
    </Frame>
  )
}

/** Sets the document title, so that the page can be found among other tabs. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}

function Said({ message, projectName }: { message: VisitorMessage; projectName: string }) {
  const { fromVisitor, authorName, text, solved, createdAt } = message
  return (
    <Message author={fromVisitor ? 'You' : (authorName ?? projectName)} isOwn={fromVisitor} createdAt={createdAt}>
      {text}
      {solved !== null && (
        <span
          className={cn(
            'block font-medium text-sm',
            text !== '' && 'mt-2',
            solved ? 'text-success-text' : 'text-muted',
          )}
        >
          {solved ? 'You marked this as solved.' : 'You marked this as not solved yet.'}
        </span>
      )}
    </Message>
  )
}

function Message({
  author,
  isOwn,
  createdAt,
  children,
}: {
  author: string
  isOwn: boolean
  createdAt: string
  children: ReactNode
}) {
  return (
    <li className={cn('flex min-w-0 flex-col', isOwn ? 'items-end pl-8 sm:pl-16' : 'items-start pr-8 sm:pr-16')}>
      <p className="mb-1 flex max-w-full flex-wrap items-baseline gap-x-2 px-1 text-muted text-sm">
        <bdi className="min-w-0 font-medium text-foreground [overflow-wrap:anywhere]">{author}</bdi>
        <RelativeTime iso={createdAt} />
      </p>
      <p
        dir="auto"
        className={cn(
          'max-w-full whitespace-pre-wrap rounded-lg border px-4 py-2.5 text-lg [overflow-wrap:anywhere] [unicode-bidi:isolate]',
          isOwn ? 'border-transparent bg-sunken' : 'border-border bg-surface shadow-sm',
        )}
      >
        {children}
      </p>
    </li>
  )
}

function Frame({ projectName, domain, children }: { projectName?: string; domain?: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      {projectName !== undefined && (
        <header className="border-border border-b bg-surface">
          <div className="mx-auto flex min-h-14 w-full max-w-2xl flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-2">
            <bdi className="min-w-0 font-semibold text-lg [overflow-wrap:anywhere]">{projectName}</bdi>
            <bdi className="min-w-0 text-base text-muted [overflow-wrap:anywhere]">{domain}</bdi>
          </div>
        </header>
      )}
      <main className="mx-auto w-full max-w-2xl flex-1 px-5 py-8">{children}</main>
      {projectName !== undefined && (
        <footer className="mx-auto w-full max-w-2xl px-5 pb-8 text-muted text-sm">
          Anyone with this link can read the conversation and reply. Don’t share it.
        </footer>
      )}
    </div>
  )
}

function LoadingConversation() {
  return (
    <Frame>
      <output className="block">
        <span className="sr-only">Loading your conversation</span>
        <Skeleton className="h-7 w-56" />
        <Skeleton className="mt-3 h-4 w-72 max-w-full" />
        <Skeleton className="mt-8 ml-auto h-20 w-4/5" />
        <Skeleton className="mt-6 h-20 w-4/5" />
      </output>
    </Frame>
  )
}
