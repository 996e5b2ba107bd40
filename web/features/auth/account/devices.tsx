import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { type DeviceSession, endSession } from '#contract/auth.ts'
import { describeBrowser } from '#contract/describe-browser.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { devicesQuery } from './devices-query.ts'

/** The signed-in devices, with buttons that sign out one, the others, or all. */
export function Devices() {
  const user = useUser()
  const queryClient = useQueryClient()
  const devices = useQuery(devicesQuery(user.id))
  const signOutOthers = useMutation({
    mutationFn: () => signOut('others'),
    networkMode: 'always',
    retry: false,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: devicesQuery(user.id).queryKey })
      toast({ title: 'Other devices signed out', tone: 'success' })
    },
    onError: showFailure,
  })
  const signOutEverywhere = useMutation({
    mutationFn: () => signOut('global'),
    networkMode: 'always',
    retry: false,
    onSuccess: () => toast({ title: 'Signed out everywhere', tone: 'success' }),
    onError: showFailure,
  })

  return (
    <>
      {devices.isError && !devices.data && (
        <LoadFailure title="Couldn’t load your devices" error={devices.error} onRetry={devices.refetch} />
      )}
      <ul className="divide-y divide-border" hidden={devices.isError && !devices.data}>
        {devices.data?.map((device) => <Device key={device.id} device={device} userId={user.id} />) ?? (
          <li className="flex items-center gap-4 px-5 py-4">
            <Skeleton className="size-5" />
            <Skeleton className="h-10 w-56" />
          </li>
        )}
      </ul>
      <SettingsBar>
        {(devices.data?.length ?? 0) > 1 && (
          <ConfirmButton
            label="Sign out other devices"
            question="Sign out all other devices?"
            confirmLabel="Sign out others"
            loading={signOutOthers.isPending}
            onConfirm={() => signOutOthers.mutate()}
          />
        )}
        <ConfirmButton
          label="Sign out everywhere"
          question="Sign out here as well?"
          confirmLabel="Sign out all"
          loading={signOutEverywhere.isPending}
          onConfirm={() => signOutEverywhere.mutate()}
        />
      </SettingsBar>
    </>
  )
}

function showFailure(error: unknown): void {
  toast({ title: 'Couldn’t sign out', description: describeAuthError(error), tone: 'danger' })
}

function Device({ device, userId }: { device: DeviceSession; userId: string }) {
  const queryClient = useQueryClient()
  const { queryKey } = devicesQuery(userId)
  const name = describeBrowser(device.userAgent ?? '') ?? 'Unknown browser'
  const end = useMutation({
    mutationFn: () =>
      call(endSession, { params: { sessionId: device.id } }).catch((error: unknown) => {
        // Already signed out elsewhere: the result is the same.
        if (!(error instanceof ApiError && error.code === 'session_not_found')) throw error
      }),
    networkMode: 'always',
    onSuccess: () => {
      queryClient.setQueryData(queryKey, (all) => all?.filter(({ id }) => id !== device.id))
      toast({ title: `${name} is signed out`, tone: 'success' })
    },
    onError: (error) => toast({ title: 'Couldn’t sign out', error, tone: 'danger' }),
  })
  const Icon = /\b(iPhone|Android|Mobile)\b/.test(device.userAgent ?? '') ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48 text-base">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          {device.isCurrent && <Badge tone="success">This device</Badge>}
        </p>
        <p className="text-muted">
          Last used <RelativeTime iso={device.lastUsedAt} />
          {device.ip !== null && ` · ${device.ip}`}
        </p>
      </div>
      {!device.isCurrent && (
        <ConfirmButton
          label="Sign out"
          aria-label={`Sign out ${name}`}
          question="Sign this device out?"
          confirmLabel="Yes, sign out"
          loading={end.isPending}
          onConfirm={() => end.mutate()}
        />
      )}
    </li>
  )
}
