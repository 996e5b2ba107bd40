import { type FormEvent, useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import type { SavedView } from '#contract/views.ts'
import { ApiError } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { useViewChanges } from './use-view-changes.ts'

/** Names a view and says who sees it: a new one, or one that is there. */
export function ViewDialog({
  view,
  search,
  onClose,
  onSaved,
}: {
  /** Undefined: a new one is saved. */
  view: SavedView | undefined
  search: string
  onClose: () => void
  onSaved: (view: SavedView) => void
}) {
  const { organization } = useOrganization()
  const { create, rename } = useViewChanges(organization.id)
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(view?.isShared ?? false)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  // The same id for every try: pressing twice makes one view.
  const id = useRef(uuidV7())
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const trimmed = name.trim()
    if (trimmed === '') return setError('Enter a name for the view.')
    setSaving(true)
    try {
      const change = { name: trimmed, isShared }
      onSaved(view ? await rename(view.id, change) : await create({ id: id.current, search, ...change }))
      onClose()
    } catch (cause) {
      // The client throws errors.
      setError((cause instanceof ApiError && cause.findFieldMessage('name')) || (cause as Error).message)
      setSaving(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={view ? 'Rename or share' : 'Save as a view'}
      description={view ? undefined : 'Save this view to reuse it.'}
      className="sm:max-w-sm"
    >
      <form onSubmit={save} className="flex flex-col gap-4">
        <Field label="Name" error={error}>
          {(control) => (
            <Input
              autoFocus
              maxLength={60}
              value={name}
              onChange={(event) => {
                setName(event.target.value)
                setError(undefined)
              }}
              placeholder="Urgent bugs"
              {...control}
            />
          )}
        </Field>
        <SwitchRow
          label="Share with the team"
          hint="Everyone in the organisation can see and change it."
          checked={isShared}
          onChange={setShared}
        />
        <Button type="submit" loading={isSaving} className="self-end">
          Save
        </Button>
      </form>
    </Dialog>
  )
}
