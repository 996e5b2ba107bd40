import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { v7 as uuidV7 } from 'uuid'
import { eraseVisitor, type Visitor, type VisitorErasurePreview } from '#contract/visitors.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TypedConfirmation } from '#web/ui/typed-confirmation.tsx'
import { erasurePreviewQuery, erasureQuery } from './visitor-queries.ts'

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
  const preview = useQuery(erasurePreviewQuery(organization.id, visitor.key))
  const { total, limit, projects } = visitor
  const items = preview.data ? formatItems(preview.data.items) : formatItems(total, limit)
  // The projects of the page count kept items as well.
  const where = preview.data && preview.data.claimedItems > 0 ? '' : ` in ${formatQuantity(projects.length, 'project')}`
  return (
    <TypedConfirmation
      phrase={visitor.key}
      isSame={(typed) => toTyped(typed) === toTyped(visitor.key)}
      heading="Permanently deleted for everyone:"
      losses={[
        `${items}${where}, with notes, replies and history`,
        ...(preview.data
          ? listCopies(preview.data)
          : [preview.error ? couldNotCount : 'Counting saved views and exports…']),
      ]}
      note={
        <>
          This can’t be undone. To keep a copy, export first.
          {preview.data && preview.data.claimedItems > 0 && (
            <span className="mt-2 block">{describeKept(preview.data.claimedItems)}</span>
          )}
        </>
      }
      action="Erase permanently"
      error={erasing.error}
      isPending={erasing.isPending}
      onConfirm={(typed) => erasing.mutate(typed)}
      onCancel={onCancel}
    />
  )
}

/** Items of the visitor's page that an erasure keeps, because anyone can type an email address. */
function describeKept(count: number): string {
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them']
  return `${formatItems(count)} without an ID, from an email used here, ${are} kept. To delete ${them}, erase that email.`
}

const couldNotCount = 'Saved views, exports and waiting imports that name this visitor (couldn’t count them)'

/** The copies that an erasure deletes besides the items. */
function listCopies({ files, savedViews, exports, imports, unreadImports }: VisitorErasurePreview): string[] {
  return [
    ...(files > 0 ? [`${formatQuantity(files, 'file')}: screenshots, recordings and attachments`] : []),
    ...(savedViews > 0
      ? [`${formatQuantity(savedViews, 'saved view')} that ${savedViews === 1 ? 'names' : 'name'} this visitor`]
      : []),
    ...(exports > 0
      ? [`${formatQuantity(exports, 'export')} that ${exports === 1 ? 'contains' : 'contain'} their feedback`]
      : []),
    ...(imports > 0 ? [`${formatQuantity(imports, 'waiting import')} whose file names this visitor`] : []),
    ...(unreadImports > 0
      ? [`${formatQuantity(unreadImports, 'waiting import')} with a large file, if the file names this visitor`]
      : []),
  ]
}

/** Normalises typed text: letter case and white space are ignored. */
function toTyped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
