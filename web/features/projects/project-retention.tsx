import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { projectContentsQuery } from './project-contents-query.ts'
import { useProjectChange } from './use-project-change.ts'

const usualDays = 365
const countPauseMs = 300

/** The retention period in days, and how many items it would delete today. */
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
            title:
              wanted === null ? 'Feedback is kept forever' : `Feedback is kept for ${formatQuantity(wanted, 'day')}`,
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
        hint="Deletes items with their files and history every night, with any status, in any folder: inbox, archive, spam or trash."
        checked={isOn}
        onChange={setOn}
      />
      {isOn && (
        <>
          <DaysField typed={typed} isValid={days !== undefined} onChange={setTyped} />
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

function DaysField({
  typed,
  isValid,
  onChange,
}: {
  typed: string
  isValid: boolean
  onChange: (typed: string) => void
}) {
  return (
    <Field
      label="Days to keep"
      error={isValid ? undefined : 'A whole number from 1 to 3650.'}
      hint="Counted from the day an item was received."
    >
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          className="w-32"
          value={typed}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
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
        ? 'Couldn’t count the affected items.'
        : data === undefined || olderItems === undefined || olderItems === null
          ? 'Counting…'
          : olderItems === 0
            ? `Nothing is older than ${formatQuantity(days, 'day')} today.`
            : `${formatItems(olderItems, data.limit)} would be permanently deleted tonight. This can’t be undone.`}
    </p>
  )
}

/** The value, once it has been stable for a moment (debounced). */
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
