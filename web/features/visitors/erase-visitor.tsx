import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { v7 as uuidV7 } from 'uuid'
import { eraseVisitor, type Visitor } from '#contract/visitors.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { erasureQuery } from './visitor-queries.ts'

/** Erases a visitor from every project, once who they are was typed. */
export function EraseVisitor({ visitor }: { visitor: Visitor }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" className="text-danger-text" onClick={() => setOpen(true)}>
        <Eraser aria-hidden="true" />
        Erase
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Erase this visitor?">
        <Confirmation visitor={visitor} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Confirmation({ visitor, onCancel }: { visitor: Visitor; onCancel: () => void }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const [, setSearch] = useSearchParams()
  // The same over every retry: a lost answer erases nobody twice.
  const [id] = useState(() => uuidV7())
  const [typed, setTyped] = useState('')
  const isSame = toTyped(typed) === toTyped(visitor.key)
  const erasing = useMutation({
    mutationFn: () =>
      call(eraseVisitor, {
        params: { organizationId: organization.id },
        body: { id, visitor: visitor.key, confirmation: typed },
      }),
    networkMode: 'always',
    onSuccess: (erasure) => {
      queryClient.setQueryData(erasureQuery(organization.id, id).queryKey, erasure)
      setSearch({ erasure: id }, { replace: true })
    },
  })
  const { total, limit, files, projects } = visitor
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSame) erasing.mutate()
      }}
    >
      <div className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
        <p className="font-medium">Gone for good, for everybody:</p>
        <ul className="mt-1 list-disc pl-5">
          <li>
            {total >= limit
              ? `${limit.toLocaleString('en-GB')} or more items`
              : total === 1
                ? '1 item'
                : `${total} items`}{' '}
            in {projects.length === 1 ? '1 project' : `${projects.length} projects`}, with notes, replies and history
          </li>
          <li>{files === 1 ? '1 file' : `${files} files`}: screenshots, recordings and what else came with them</li>
          <li>exports made before, because they may hold the same</li>
        </ul>
        <p className="mt-2">There is no undo. To keep a copy, export first.</p>
      </div>
      <Field
        label={
          <>
            Type <bdi className="select-all break-all font-semibold">{visitor.key}</bdi> to confirm
          </>
        }
        error={erasing.error?.message}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" disabled={!isSame} loading={erasing.isPending}>
          Erase for good
        </Button>
      </div>
    </form>
  )
}

/** As somebody types it: letter case and space make no difference. */
function toTyped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
