import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { type ConnectedApp, disconnectApp } from '#contract/connected-apps.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useUser } from '#web/lib/session.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ConfirmButton } from '../account/confirm-button.tsx'
import { connectedAppsQuery } from './apps-query.ts'

/** The apps that act in the person's name, with a button that disconnects each. */
export function ConnectedApps() {
  const user = useUser()
  const { data, error, isError, refetch } = useQuery(connectedAppsQuery(user.id))
  if (isError && !data) return <LoadFailure title="Couldn’t load your connected apps" error={error} onRetry={refetch} />
  if (!data) {
    return (
      <div className="flex items-center gap-4 px-5 py-4">
        <Skeleton className="size-5" />
        <Skeleton className="h-10 w-56" />
      </div>
    )
  }
  if (data.length === 0) {
    return (
      <p className="px-5 py-4 text-base text-muted">
        No connected apps. Add this server’s <code>/mcp</code> address to a coding agent to connect it.
      </p>
    )
  }
  return (
    <ul className="divide-y divide-border">
      {data.map((app) => (
        <App key={app.id} app={app} userId={user.id} />
      ))}
    </ul>
  )
}

function App({ app, userId }: { app: ConnectedApp; userId: string }) {
  const queryClient = useQueryClient()
  const { queryKey } = connectedAppsQuery(userId)
  const disconnect = useMutation({
    mutationFn: () =>
      call(disconnectApp, { params: { appId: app.id } }).catch((error: unknown) => {
        // Already disconnected elsewhere: the result is the same.
        if (!(error instanceof ApiError && error.code === 'connected_app_not_found')) throw error
      }),
    networkMode: 'always',
    onSuccess: () => {
      queryClient.setQueryData(queryKey, (all) => all?.filter(({ id }) => id !== app.id))
      toast({ title: `${app.name} is disconnected`, tone: 'success' })
    },
    onError: (error) => toast({ title: 'Couldn’t disconnect the app', error, tone: 'danger' }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <Bot aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48 text-base [overflow-wrap:anywhere]">
        <p className="font-medium">{app.name}</p>
        <p className="text-muted">
          {app.scopes.includes('write') ? 'Read and write' : 'Read only'} · {app.organizationName} · {app.redirectHost}
        </p>
        <p className="text-muted">
          {app.lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <RelativeTime iso={app.lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <ConfirmButton
        label="Disconnect"
        aria-label={`Disconnect ${app.name}`}
        question="Disconnect this app?"
        confirmLabel="Yes, disconnect"
        loading={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
      />
    </li>
  )
}
