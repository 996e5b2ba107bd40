import { type FormEvent, useState } from 'react'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import type { Tracker } from './issue-queries.ts'

interface LinkProps {
  /** At least one. */
  trackers: readonly Tracker[]
  onLink: (tracker: Tracker, reference: string) => Promise<unknown>
  onClose: () => void
}

/** Asks which issue of a tracker the item is to be linked to. */
export function LinkIssueDialog({ trackers, onLink, onClose }: LinkProps) {
  const [trackerId, setTrackerId] = useState(trackers[0]?.id)
  const [reference, setReference] = useState('')
  const [error, setError] = useState<string>()
  const [isLinking, setLinking] = useState(false)
  // One that was linked meanwhile is no choice any more.
  const tracker = trackers.find(({ id }) => id === trackerId) ?? trackers[0]
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const typed = reference.trim()
    if (typed === '') return setError('Enter the address or the number of an issue.')
    if (!tracker) return
    setLinking(true)
    try {
      await onLink(tracker, typed)
      onClose()
    } catch (cause) {
      const found = cause instanceof ApiError ? cause.findFieldMessage('reference') : undefined
      // The client throws errors.
      setError(found === undefined ? (cause as Error).message : `This ${found}.`)
      setLinking(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Link an existing issue"
      description="Status and comments are then synced both ways."
      className="sm:max-w-md"
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {trackers.length > 1 && (
          <Field label="Tracker">
            {(control) => (
              <Select {...control} value={tracker?.id} onChange={({ target }) => setTrackerId(target.value)}>
                {trackers.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.account === null ? each.name : `${each.name} (${each.account})`}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field
          label="Issue"
          hint={`Its address or number${tracker?.account == null ? '' : ` in ${tracker.account}`}.`}
          error={error}
        >
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              maxLength={500}
              placeholder="#123"
              value={reference}
              onChange={({ target }) => {
                setReference(target.value)
                setError(undefined)
              }}
            />
          )}
        </Field>
        <Button type="submit" loading={isLinking} className="self-end">
          Link issue
        </Button>
      </form>
    </Dialog>
  )
}
