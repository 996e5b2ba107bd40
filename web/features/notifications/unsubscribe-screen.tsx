import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { Link } from 'react-router'
import { getSubscription, updateSubscription } from '#contract/notifications.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const names = {
  new_feedback: 'emails about new feedback',
  personal: 'emails about assignments, mentions and visitors’ replies',
}

/** The target of an email's unsubscribe link. Opening it changes nothing: mail clients prefetch links. */
export function UnsubscribeScreen({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const queryKey = ['subscription', token]
  const params = { subscriptionToken: token }
  const subscription = useQuery({ queryKey, queryFn: ({ signal }) => call(getSubscription, { params, signal }) })
  const change = useMutation({
    mutationFn: (isSubscribed: boolean) => call(updateSubscription, { params, body: { isSubscribed } }),
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
  })
  const { data, error } = subscription
  // An unknown link stays unknown: no retry.
  const isDead = error instanceof ApiError && [400, 404, 410].includes(error.status)
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-4 py-12">
      <Logo />
      {!data && !subscription.error && <Skeleton className="h-32" />}
      {error && !data && <h1 className="sr-only">Unsubscribe</h1>}
      {isDead && (
        <EmptyState
          icon={<Link2Off />}
          title="This link has expired"
          action={
            <Button asChild variant="secondary">
              <Link to="/dashboard/settings/notifications">Notification settings</Link>
            </Button>
          }
        >
          The link has expired or is incomplete. Sign in to change which emails you get.
        </EmptyState>
      )}
      {subscription.error && !data && !isDead && (
        <LoadFailure
          title="Couldn’t load your email settings"
          error={subscription.error}
          onRetry={() => subscription.refetch()}
        />
      )}
      {data && (
        <div className="flex flex-col items-start gap-4">
          <h1 className="font-semibold text-2xl">{data.isSubscribed ? 'Unsubscribe' : 'You’re unsubscribed'}</h1>
          <p className="break-words text-base" role="status">
            {data.isSubscribed ? 'You get ' : 'You get no more '}
            {names[data.list]} of <bdi className="font-medium">{data.organizationName}</bdi>.
          </p>
          {change.error && (
            <p role="alert" className="text-base text-danger-text">
              {change.error.message}
            </p>
          )}
          <Button
            variant={data.isSubscribed ? 'primary' : 'secondary'}
            loading={change.isPending}
            onClick={() => change.mutate(!data.isSubscribed)}
          >
            {data.isSubscribed ? 'Unsubscribe' : 'Subscribe again'}
          </Button>
        </div>
      )}
    </main>
  )
}
