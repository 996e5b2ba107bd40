import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { markMessage, type OpenMessage } from '#contract/superadmin-overview.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { openMessagesQuery } from './overview-queries.ts'

/** Messages of the contact form that wait for an answer. */
export function MessagesCard() {
  const { data, error, refetch } = useQuery(openMessagesQuery)
  return (
    <Card aria-labelledby="contact-messages-title" id="contact-messages">
      <CardHeader>
        <CardTitle id="contact-messages-title">Contact messages</CardTitle>
        <CardDescription>Unanswered messages of the contact form, the oldest first.</CardDescription>
      </CardHeader>
      <CardContent>
        {data ? (
          data.items.length === 0 ? (
            <p className="text-base text-muted">No unanswered messages.</p>
          ) : (
            <ul aria-label="Contact messages" className="flex flex-col divide-y divide-border">
              {data.items.map((message) => (
                <Message key={message.id} message={message} />
              ))}
            </ul>
          )
        ) : error ? (
          <LoadFailure title="Couldn’t load the messages" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-16" />
        )}
      </CardContent>
    </Card>
  )
}

function Message({ message: { id, name, email, message, createdAt } }: { message: OpenMessage }) {
  const queryClient = useQueryClient()
  const mark = useMutation({
    mutationFn: (answered: boolean) => call(markMessage, { params: { messageId: id }, body: { answered } }),
    networkMode: 'always',
    onSuccess: (_answer, answered) => {
      void queryClient.invalidateQueries({ queryKey: ['superadmin'] })
      if (answered) {
        toast({
          title: 'Marked as answered',
          action: { label: 'Undo', onPress: () => mark.mutate(false) },
        })
      }
    },
    onError: (error) => toast({ title: 'Couldn’t mark the message', error, tone: 'danger' }),
  })
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-base">
          <bdi className="font-medium">{name}</bdi>{' '}
          <a href={`mailto:${email}`} className="break-all text-accent-text underline">
            {email}
          </a>{' '}
          <RelativeTime iso={createdAt} className="whitespace-nowrap text-muted text-sm" />
        </p>
        <p className="line-clamp-4 whitespace-pre-line break-words text-base text-muted" dir="auto">
          {message}
        </p>
      </div>
      <Button variant="secondary" loading={mark.isPending} onClick={() => mark.mutate(true)}>
        Mark as answered
      </Button>
    </li>
  )
}
