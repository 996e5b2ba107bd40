import { useQuery } from '@tanstack/react-query'
import { MessageSquareText, Settings2 } from 'lucide-react'
import { lazy, type RefObject, Suspense, useState } from 'react'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { Button } from '#web/ui/button.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'
import { useMembers } from '../../use-members.ts'
import { fillTemplate, type PlaceholderValues } from './fill-template.ts'
import { templatesQuery } from './templates-query.ts'

// Needed by few.
const TemplatesDialog = lazy(() => import('./templates-dialog.tsx'))

const manageValue = 'manage'

interface TemplateMenuProps {
  item: FeedbackDetail
  /** The reply so far. */
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  /** The reply with a template, whose placeholders are filled in where they can be. */
  onInsert: (text: string) => void
}

/** Inserts one of the team's reply templates, and leads to where they are made. Opened by `/` in an empty reply, too. */
export function TemplateMenu({ item, text, field, onInsert }: TemplateMenuProps) {
  const [open, setOpen] = useState(false)
  const [former, setFormer] = useState(text)
  if (former !== text) {
    setFormer(text)
    if (former === '' && text === '/') setOpen(true)
  }
  const { organization, can } = useOrganization()
  const { data: templates = [], error } = useQuery({ ...templatesQuery(organization.id), enabled: open })
  const values = usePlaceholderValues(item)
  const [isManaging, setManaging] = useState(false)
  const manage = {
    value: manageValue,
    label: templates.length === 0 ? 'New template…' : 'Manage templates…',
    hint: 'new edit delete template',
    icon: <Settings2 aria-hidden="true" className="text-muted" />,
    state: 'off' as const,
  }
  return (
    <>
      <PickMenu
        label="Templates"
        placeholder="Insert a template…"
        emptyText={error?.message ?? 'No templates yet.'}
        options={[
          ...templates.map(({ id, name, text }) => ({
            value: id,
            label: name,
            hint: text,
            icon: <MessageSquareText aria-hidden="true" className="text-muted" />,
            state: 'off' as const,
          })),
          ...(can('manage_feedback') ? [manage] : []),
        ]}
        onPick={(value) => {
          if (value === manageValue) return setManaging(true)
          const template = templates.find(({ id }) => id === value)
          if (template) onInsert(insertAtCursor(fillTemplate(template.text, values), text, field.current))
        }}
        open={open}
        onOpenChange={setOpen}
        returnFocus={() => field.current?.focus()}
        align="end"
      >
        <Button
          variant="ghost"
          size="icon-sm"
          className="my-1"
          aria-label="Templates"
          title="Templates (/ in an empty reply)"
        >
          <MessageSquareText aria-hidden="true" className="text-muted" />
        </Button>
      </PickMenu>
      {isManaging && (
        <Suspense>
          <TemplatesDialog organizationId={organization.id} onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Puts a template where the cursor is; in place of the `/` that asked for it. */
function insertAtCursor(template: string, text: string, field: HTMLTextAreaElement | null): string {
  if (text.trim() === '/') return template
  const { selectionStart = text.length, selectionEnd = text.length } = field ?? {}
  return text.slice(0, selectionStart) + template + text.slice(selectionEnd)
}

function usePlaceholderValues(item: FeedbackDetail): PlaceholderValues {
  const { organization } = useOrganization()
  const { people, ownId } = useMembers()
  const { data: projects } = useQuery(projectsQuery(organization.id))
  return {
    'visitor.name': item.visitorName ?? undefined,
    'item.number': String(item.number),
    'project.name': projects?.find(({ id }) => id === item.projectId)?.name,
    'member.name': people.get(ownId)?.name,
  }
}
