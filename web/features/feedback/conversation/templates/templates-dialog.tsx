import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ReplyTemplate } from '#contract/reply-templates.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TemplateForm } from './template-form.tsx'
import { templatesQuery } from './templates-query.ts'
import { type TemplateNotice, useTemplateChanges } from './use-template-changes.ts'

interface TemplatesDialogProps {
  organizationId: string
  onClose: () => void
}

/** The team's reply templates, and the form in which one is written. */
export default function TemplatesDialog({ organizationId, onClose }: TemplatesDialogProps) {
  const { data: templates, error, refetch } = useQuery(templatesQuery(organizationId))
  const [edited, setEdited] = useState<ReplyTemplate | 'new'>()
  const [notice, setNotice] = useState<TemplateNotice>()
  const changes = useTemplateChanges(organizationId, setNotice)
  const edit = (template: ReplyTemplate | 'new') => {
    setNotice(undefined)
    setEdited(template)
  }
  const isWriting = edited !== undefined || (templates?.length === 0 && !notice)
  const title = !isWriting
    ? 'Reply templates'
    : edited === undefined || edited === 'new'
      ? 'New template'
      : 'Edit template'
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={isWriting ? undefined : 'Everyone in the organisation can use and change them.'}
    >
      <Notice notice={notice} onUndone={() => setNotice(undefined)} />
      {error && !templates ? (
        <div role="alert" className="flex flex-col items-start gap-3 text-base text-danger-text">
          {error.message}
          <Button variant="secondary" size="sm" onClick={() => refetch()}>
            Try again
          </Button>
        </div>
      ) : !templates ? (
        <Skeleton className="h-32" />
      ) : isWriting ? (
        <TemplateForm
          changes={changes}
          template={edited === 'new' ? undefined : edited}
          onCancel={templates.length === 0 ? onClose : () => setEdited(undefined)}
          onSaved={() => setEdited(undefined)}
        />
      ) : (
        <TemplateList templates={templates} onEdit={edit} onRemove={changes.remove} />
      )}
    </Dialog>
  )
}

/** The latest change, with its undo. */
function Notice({ notice, onUndone }: { notice: TemplateNotice | undefined; onUndone: () => void }) {
  const { undo } = notice ?? {}
  return (
    <output
      className={cn('flex items-center gap-3 text-base', notice && 'mb-3', notice?.isError && 'text-danger-text')}
    >
      {notice && <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{notice.text}</span>}
      {undo && (
        <Button
          variant="secondary"
          size="sm"
          onClick={() => {
            undo()
            onUndone()
          }}
        >
          Undo
        </Button>
      )}
    </output>
  )
}

function TemplateList({
  templates,
  onEdit,
  onRemove,
}: {
  templates: readonly ReplyTemplate[]
  onEdit: (template: ReplyTemplate | 'new') => void
  onRemove: (template: ReplyTemplate) => void
}) {
  return (
    <div className="flex flex-col gap-4">
      <ul aria-label="Reply templates" className="empty:hidden divide-y divide-border rounded-md border border-border">
        {templates.map((template) => (
          <li key={template.id} className="flex items-center gap-1 py-1.5 pr-1.5 pl-3">
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium text-base">{template.name}</bdi>
              <bdi className="block truncate text-muted text-sm">{template.text}</bdi>
            </span>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Edit ${template.name}`}
              title="Edit"
              onClick={() => onEdit(template)}
            >
              <Pencil aria-hidden="true" />
            </Button>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Delete ${template.name}`}
              title="Delete"
              onClick={() => onRemove(template)}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="secondary" size="sm" className="self-start" onClick={() => onEdit('new')}>
        <Plus aria-hidden="true" />
        New template
      </Button>
    </div>
  )
}
