import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type NotificationChange,
  type NotificationPreferences,
  updateMailContent,
  updateNotificationPreferences,
} from '#contract/notifications.ts'
import { call } from '#web/lib/api.ts'
import { getTimeZone } from '#web/lib/date-style.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { notificationsQuery, preferencesQuery } from './notification-queries.ts'
import { PreferenceMatrix } from './preference-matrix.tsx'
import { ProjectExceptions } from './project-exceptions.tsx'

/** A member's notification preferences: for all projects, and exceptions. Saved on change. */
export function NotificationSettings() {
  const { organization, can } = useOrganization()
  const preferences = useQuery(preferencesQuery(organization.id))
  const { data } = preferences
  const save = useSave(organization.id)
  useOwnTimeZone(data, save)

  if (preferences.error && !data) {
    return (
      <LoadFailure
        title="Couldn’t load your settings"
        error={preferences.error}
        onRetry={() => preferences.refetch()}
      />
    )
  }
  if (!data) return <Skeleton className="h-64" />
  return (
    <div className="flex flex-col gap-8">
      {data.mutedMails.length > 0 && (
        <div className="flex flex-wrap items-center gap-3 rounded-lg border border-border bg-sunken p-4">
          <p className="min-w-0 flex-1 text-base">
            You unsubscribed from{' '}
            {data.mutedMails.length === 2 ? 'all emails' : mutedNames[data.mutedMails[0] ?? 'personal']}. The settings
            below apply again once you resubscribe.
          </p>
          <Button
            variant="secondary"
            size="sm"
            onClick={() => save({ mutedMails: [] }, { mutedMails: data.mutedMails })}
          >
            Subscribe again
          </Button>
        </div>
      )}
      <Card aria-labelledby="all-projects">
        <div className="border-border border-b px-4 py-3">
          <h2 id="all-projects" className="font-semibold text-base">
            All projects
          </h2>
          <p className="text-muted text-sm">Also applies to projects created later.</p>
        </div>
        <PreferenceMatrix
          choices={data.allProjects}
          scope="all projects"
          onChange={(next, former) => save({ allProjects: next }, { allProjects: former })}
        />
      </Card>
      <ProjectExceptions exceptions={data.exceptions} allProjects={data.allProjects} save={save} />
      {can('manage_organization') && <MailContent organizationId={organization.id} preferences={data} />}
    </div>
  )
}

const mutedNames = {
  new_feedback: 'emails about new feedback',
  personal: 'emails about assignments, mentions and visitors’ replies',
}

function MailContent({
  organizationId,
  preferences,
}: {
  organizationId: string
  preferences: NotificationPreferences
}) {
  const queryClient = useQueryClient()
  const { queryKey } = preferencesQuery(organizationId)
  const change = useMutation({
    mutationFn: (mailsHoldWords: boolean) =>
      call(updateMailContent, { params: { organizationId }, body: { mailsHoldWords } }),
    onMutate: (mailsHoldWords) => queryClient.setQueryData(queryKey, (old) => old && { ...old, mailsHoldWords }),
    onError: (error) => {
      toast({ title: 'Couldn’t save', error, tone: 'danger' })
      void queryClient.invalidateQueries({ queryKey })
    },
  })
  return (
    <SwitchRow
      label="Include the visitor’s message in emails"
      hint="Applies to the whole organisation. Off: emails only link to the item."
      checked={preferences.mailsHoldWords}
      onChange={(on) => change.mutate(on)}
    />
  )
}

/** Saves on change and offers an undo. */
function useSave(organizationId: string): (change: NotificationChange, former?: NotificationChange) => void {
  const queryClient = useQueryClient()
  const { queryKey } = preferencesQuery(organizationId)
  const save = (change: NotificationChange, former?: NotificationChange): void => {
    call(updateNotificationPreferences, { params: { organizationId }, body: change }).then(
      (saved) => {
        queryClient.setQueryData(queryKey, saved)
        void queryClient.invalidateQueries({ queryKey: notificationsQuery(organizationId).queryKey })
        if (!former) return
        toast({ title: 'Saved', tone: 'success', action: { label: 'Undo', onPress: () => save(former) } })
      },
      (error: Error) => {
        if (former) toast({ title: 'Couldn’t save', error, tone: 'danger' })
      },
    )
  }
  return save
}

/** Stores the person's time zone, so that the daily email arrives in the morning. */
function useOwnTimeZone(data: NotificationPreferences | undefined, save: (change: NotificationChange) => void): void {
  const timeZone = getTimeZone()
  const isOther = data !== undefined && data.timeZone !== timeZone
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit
  useEffect(() => {
    if (isOther) save({ timeZone })
  }, [isOther, timeZone])
}
