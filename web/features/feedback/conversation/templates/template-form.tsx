import { type FormEvent, useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { maxCommentLength } from '#contract/conversation.ts'
import { placeholders, type ReplyTemplate } from '#contract/reply-templates.ts'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import type { useTemplateChanges } from './use-template-changes.ts'

interface TemplateFormProps {
  changes: Pick<ReturnType<typeof useTemplateChanges>, 'create' | 'update'>
  /** Undefined: a new one. */
  template: ReplyTemplate | undefined
  onCancel: () => void
  onSaved: () => void
}

/** Name and text of a reply template. */
export function TemplateForm({ changes, template, onCancel, onSaved }: TemplateFormProps) {
  const [name, setName] = useState(template?.name ?? '')
  const [text, setText] = useState(template?.text ?? '')
  const [errors, setErrors] = useState<{ name?: string; text?: string }>({})
  const [isSaving, setSaving] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // The same id for every try: pressing twice makes one template.
  const id = useRef(uuidV7())
  const insert = (placeholder: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {}
    setText(`${text.slice(0, selectionStart)}{{${placeholder}}}${text.slice(selectionEnd)}`)
    field.current?.focus()
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    // In React's tree, this form is within that of the reply, which would be sent.
    event.stopPropagation()
    const missing = {
      ...(name.trim() === '' && { name: 'Enter a name.' }),
      ...(text.trim() === '' && { text: 'Enter the text of the reply.' }),
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    setSaving(true)
    try {
      if (template) await changes.update(template, { name: name.trim(), text: text.trim() })
      else await changes.create({ id: id.current, name: name.trim(), text: text.trim() })
      onSaved()
    } catch (cause) {
      const found = cause instanceof ApiError ? cause.findFieldMessage('name') : undefined
      // The client throws errors.
      setErrors(found === undefined ? { text: (cause as Error).message } : { name: found })
      setSaving(false)
    }
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-4">
      <Field label="Name" error={errors.name}>
        {(control) => (
          <Input
            autoFocus
            maxLength={60}
            value={name}
            placeholder="Thanks for reporting"
            onChange={(event) => setName(event.target.value)}
            {...control}
          />
        )}
      </Field>
      <Field label="Text" error={errors.text}>
        {(control) => (
          <Textarea
            ref={field}
            rows={6}
            dir="auto"
            maxLength={maxCommentLength}
            value={text}
            placeholder="Hello {{visitor.name}}, …"
            onChange={(event) => setText(event.target.value)}
            {...control}
          />
        )}
      </Field>
      <PlaceholderButtons onInsert={insert} />
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isSaving}>
          Save template
        </Button>
      </div>
    </form>
  )
}

function PlaceholderButtons({ onInsert }: { onInsert: (placeholder: string) => void }) {
  return (
    <div className="-mt-1 flex flex-wrap items-center gap-1.5">
      <span className="text-muted text-sm">Insert</span>
      {placeholders.map((placeholder) => (
        <button
          key={placeholder}
          type="button"
          onClick={() => onInsert(placeholder)}
          className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-foreground text-sm pointer-coarse:min-h-10 hover:bg-hover"
        >
          {`{{${placeholder}}}`}
        </button>
      ))}
    </div>
  )
}
