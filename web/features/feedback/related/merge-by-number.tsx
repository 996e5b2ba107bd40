import { Merge } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { useMerge } from './use-merge.ts'

/** Merges an item into the one whose number is typed. */
export function MergeByNumber({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { merge, isPending, error, forgetError } = useMerge(organizationId)
  const number = /^\s*#?(\d{1,9})\s*$/.exec(typed)?.[1]
  const reason = error instanceof ApiError ? (error.findFieldMessage('number') ?? error.message) : error?.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (number === undefined || isPending) return
    merge(item, { number: Math.max(1, Number(number)) }, () => setOpen(false))
  }
  return (
    <Popover
      label="Merge by number"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        setTyped('')
        forgetError()
      }}
      align="end"
      trigger={
        <Button variant="ghost" size="sm" className="text-muted">
          <Merge aria-hidden="true" />
          Merge into…
        </Button>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-3 p-3">
        <Field
          label="Number of the other item"
          hint="This item will be merged into it."
          error={reason === undefined ? undefined : `#${number ?? ''} ${reason}`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              placeholder="#123"
              value={typed}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value)
                forgetError()
              }}
            />
          )}
        </Field>
        <Button type="submit" size="sm" className="self-end" disabled={number === undefined} loading={isPending}>
          Merge
        </Button>
      </form>
    </Popover>
  )
}
