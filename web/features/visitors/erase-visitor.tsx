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
import { TypedConfirmation } from '#web/ui/typed-confirmation.tsx'
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
      heading="Gone for good, for everybody:"
      losses={[
        `${formatItems(total, limit)} in ${projects.length === 1 ? '1 project' : `${projects.length} projects`}, with notes, replies and history`,
        ...(files > 0
          ? [
              `${files === 1 ? '1 file' : `${files.toLocaleString('en-GB')} files`}: screenshots, recordings and what else came with them`,
            ]
          : []),
        'exports made before, because they may hold the same',
      ]}
      note="There is no undo. To keep a copy, export first."
      action="Erase for good"
      error={erasing.error}
      isPending={erasing.isPending}
      onConfirm={(typed) => erasing.mutate(typed)}
      onCancel={onCancel}
    />
  )
}

function formatItems(total: number, limit: number): string {
  if (total === 1) return '1 item'
  return `${total.toLocaleString('en-GB')}${total >= limit ? ' or more' : ''} items`
}

/** As somebody types it: letter case and space make no difference. */
function toTyped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
