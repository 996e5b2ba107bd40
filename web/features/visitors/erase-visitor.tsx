import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { v7 as uuidV7 } from 'uuid'
import { eraseVisitor, type Visitor } from '#contract/visitors.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TypedConfirmation } from '#web/ui/typed-confirmation.tsx'
import { erasureQuery } from './visitor-queries.ts'

/** Erases a visitor from every project, after a typed confirmation. */
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
  // One id for all retries, so that a lost answer starts no second erasure.
  const [id] = useState(() => uuidV7())
  const erasing = useMutation({
    mutationFn: (typed: string) =>
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
    <TypedConfirmation
      phrase={visitor.key}
      isSame={(typed) => toTyped(typed) === toTyped(visitor.key)}
      heading="Permanently deleted for everyone:"
      losses={[
        `${formatItems(total, limit)} in ${formatQuantity(projects.length, 'project')}, with notes, replies and history`,
        ...(files > 0 ? [`${formatQuantity(files, 'file')}: screenshots, recordings and attachments`] : []),
        'exports made before, because they may hold the same',
      ]}
      note="This can’t be undone. To keep a copy, export first."
      action="Erase permanently"
      error={erasing.error}
      isPending={erasing.isPending}
      onConfirm={(typed) => erasing.mutate(typed)}
      onCancel={onCancel}
    />
  )
}

/** Normalises typed text: letter case and white space are ignored. */
function toTyped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
