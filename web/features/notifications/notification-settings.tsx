import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type DigestMode,
  type NotificationChange,
  type NotificationKind,
  type NotificationPreferences,
  type ProjectPreferences,
  updateMailContent,
  updateNotificationPreferences,
} from '#contract/notifications.ts'
import { captureEvent } from '#web/lib/analytics.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { notificationsQuery, preferencesQuery } from './notification-queries.ts'

const kinds: readonly { kind: NotificationKind; label: string }[] = [
  { kind: 'newFeedback', label: 'New feedback' },
  { kind: 'assigned', label: 'Assigned to you' },
  { kind: 'mentioned', label: 'Mentions of you' },
  { kind: 'visitorReplied', label: 'Visitors’ replies' },
]
const modeNames: Record<DigestMode, string> = {
  instant: 'Instantly',
  hourly: 'Every hour',
  daily: 'Daily, 8:00',
  off: 'Off',
}

type ProjectChange = NonNullable<NotificationChange['projects']>[number]

/** A member's notification preferences per project. Saved on change. */
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
      {data.projects.length === 0 && (
        <EmptyState title="No projects yet">Create a project to set its notifications.</EmptyState>
      )}
      {data.projects.map((project) => (
        <ProjectSection
          key={project.projectId}
          project={project}
          onChange={(next, former) =>
            save(
              { projects: [{ projectId: project.projectId, ...next }] },
              { projects: [{ projectId: project.projectId, ...former }] },
            )
          }
        />
      ))}
      {can('manage_organization') && <MailContent organizationId={organization.id} preferences={data} />}
    </div>
  )
}

const mutedNames = {
  new_feedback: 'emails about new feedback',
  personal: 'emails about assignments, mentions and visitors’ replies',
}

type OwnChange = Omit<ProjectChange, 'projectId'>

function ProjectSection({
  project,
  onChange,
}: {
  project: ProjectPreferences
  onChange: (next: OwnChange, former: OwnChange) => void
}) {
  return (
    <div className="rounded-lg border border-border bg-surface">
      <h2 className="break-words border-border border-b px-4 py-3 font-semibold text-base">
        <bdi>{project.projectName}</bdi>
      </h2>
      <ul className="divide-y divide-border">
        {kinds.map(({ kind, label }) => (
          <li
            key={kind}
            className="grid grid-cols-[1.35fr_1fr] items-center gap-3 px-4 py-3 max-[22rem]:grid-cols-1 sm:grid-cols-[1fr_11rem_9rem]"
          >
            <span className="text-base min-[22rem]:max-sm:col-span-2">{label}</span>
            <Select
              aria-label={`${label} by email, ${project.projectName}`}
              value={toMode(project[kind].mail)}
              onChange={({ currentTarget }) => {
                // The options below are the modes.
                const mail = currentTarget.value as DigestMode
                const former = project[kind].mail
                if (kind === 'newFeedback') {
                  onChange({ newFeedback: { mail } }, { newFeedback: { mail: project.newFeedback.mail } })
                } else onChange({ [kind]: { mail: mail !== 'off' } }, { [kind]: { mail: former === true } })
              }}
            >
              {(kind === 'newFeedback'
                ? (['instant', 'hourly', 'daily', 'off'] as const)
                : (['instant', 'off'] as const)
              ).map((mode) => (
                <option key={mode} value={mode}>
                  {mode === 'off' ? 'Email: off' : `Email: ${modeNames[mode].toLowerCase()}`}
                </option>
              ))}
            </Select>
            <Select
              aria-label={`${label} in the app, ${project.projectName}`}
              value={project[kind].app ? 'on' : 'off'}
              onChange={({ currentTarget }) =>
                onChange({ [kind]: { app: currentTarget.value === 'on' } }, { [kind]: { app: project[kind].app } })
              }
            >
              <option value="on">In the app</option>
              <option value="off">Not in the app</option>
            </Select>
          </li>
        ))}
      </ul>
    </div>
  )
}

function toMode(mail: DigestMode | boolean): DigestMode {
  if (typeof mail === 'string') return mail
  return mail ? 'instant' : 'off'
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
      toast({ title: 'Couldn’t save', description: error.message, tone: 'danger' })
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
        captureEvent('notification_preferences_updated')
        toast({ title: 'Saved', tone: 'success', action: { label: 'Undo', onPress: () => save(former) } })
      },
      (error: Error) => {
        if (former) toast({ title: 'Couldn’t save', description: error.message, tone: 'danger' })
      },
    )
  }
  return save
}

/** Stores the browser's time zone, so that the daily email arrives in the morning. */
function useOwnTimeZone(data: NotificationPreferences | undefined, save: (change: NotificationChange) => void): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const isOther = data !== undefined && data.timeZone !== timeZone
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit
  useEffect(() => {
    if (isOther) save({ timeZone })
  }, [isOther, timeZone])
}
