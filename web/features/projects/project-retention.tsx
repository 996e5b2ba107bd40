import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { formatAtMost, projectContentsQuery } from './project-contents-query.ts'
import { useProjectChange } from './use-project-change.ts'

const usualDays = 365
const countPauseMs = 300

/** After how many days feedback goes for good, and how much that is today. */
export function ProjectRetention({ project }: { project: Project }) {
  const change = useProjectChange(project)
  const [isOn, setOn] = useState(project.retentionDays !== null)
  const [typed, setTyped] = useState(String(project.retentionDays ?? usualDays))
  const days = readDays(typed)
  const wanted = isOn ? days : null
  const save = () => {
    if (wanted === undefined) return
    const before = project.retentionDays
    change.mutate(
      { retentionDays: wanted },
      {
        onSuccess: () =>
          toast({
            title: wanted === null ? 'Feedback is kept from now on' : `Feedback is kept for ${formatDays(wanted)}`,
            tone: 'success',
            action: {
              label: 'Undo',
              onPress: () => {
                setOn(before !== null)
                if (before !== null) setTyped(String(before))
                change.mutate({ retentionDays: before })
              },
            },
          }),
      },
    )
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <SwitchRow
        label="Delete old feedback"
        hint="Every night, with its files and history. Whatever its status, and wherever it lies: inbox, archive, spam or trash."
        checked={isOn}
        onChange={setOn}
      />
      {isOn && (
        <>
          <Field
            label="Days to keep"
            error={days === undefined ? 'A whole number from 1 to 3650.' : undefined}
            hint="Counted from the day on which it came."
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                className="w-32"
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </Field>
          {days !== undefined && <Preview projectId={project.id} days={days} />}
        </>
      )}
      {change.error && (
        <p role="alert" className="text-danger-text text-sm">
          {change.error.message}
        </p>
      )}
      <Button
        type="submit"
        variant="secondary"
        className="self-start"
        disabled={wanted === undefined || wanted === project.retentionDays}
        loading={change.isPending}
      >
        Save retention
      </Button>
    </form>
  )
}

/** How much the next night would delete. */
function Preview({ projectId, days }: { projectId: string; days: number }) {
  const { organization } = useOrganization()
  const settled = useSettled(days)
  const { data, error } = useQuery(projectContentsQuery(organization.id, projectId, settled))
  const olderItems = settled === days ? data?.olderItems : undefined
  return (
    <p
      role="status"
      className={`min-h-9 rounded-md px-3 py-2 text-base ${olderItems ? 'bg-warning-soft text-warning-text' : 'bg-sunken text-muted'}`}
    >
      {error
        ? 'How much this is could not be counted.'
        : data === undefined || olderItems === undefined || olderItems === null
          ? 'Counting…'
          : olderItems === 0
            ? `Nothing is older than ${formatDays(days)} today.`
            : `${formatAtMost(olderItems, data.limit, 'item', 'items')} would be deleted for good the next night. This cannot be undone.`}
    </p>
  )
}

/** The value once nobody has changed it for a moment. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), countPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

function readDays(typed: string): number | undefined {
  const days = /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : 0
  return days >= 1 && days <= 3650 ? days : undefined
}

function formatDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}
