import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import type { CustomField } from '#contract/widget-settings.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { RowButton } from './row-button.tsx'

interface FieldEditorProps {
  field: CustomField
  isFirst: boolean
  isLast: boolean
  onChange: (field: CustomField) => void
  onRemove: () => void
  onMove: (by: -1 | 1) => void
}

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'select', label: 'Choice' },
  { value: 'checkbox', label: 'Checkbox' },
] as const

/** One question of the project's own. */
export function FieldEditor({ field, isFirst, isLast, onChange, onRemove, onMove }: FieldEditorProps) {
  return (
    <section aria-label={field.label} className="flex flex-col gap-3 rounded-md border border-border bg-surface p-3">
      <div className="flex items-center gap-1">
        <Segmented
          label="Answer type"
          value={field.kind}
          options={kinds}
          onChange={(kind) =>
            onChange({
              id: field.id,
              kind,
              label: field.label,
              required: field.required,
              ...(kind === 'select' && { options: field.options ?? ['First', 'Second'] }),
            })
          }
        />
        <span className="ml-auto flex">
          <RowButton label="Move up" disabled={isFirst} onPress={() => onMove(-1)}>
            <ArrowUp aria-hidden="true" />
          </RowButton>
          <RowButton label="Move down" disabled={isLast} onPress={() => onMove(1)}>
            <ArrowDown aria-hidden="true" />
          </RowButton>
          <RowButton label="Remove this question" onPress={onRemove}>
            <Trash2 aria-hidden="true" />
          </RowButton>
        </span>
      </div>
      <Field label="Question" error={field.label.trim() === '' ? 'Enter the question.' : undefined}>
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            value={field.label}
            onChange={({ currentTarget }) => onChange({ ...field, label: currentTarget.value })}
          />
        )}
      </Field>
      {field.kind === 'select' && (
        <Field label="Choices" hint="One per line." error={findChoicesError(field)}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={(field.options ?? []).join('\n')}
              onChange={({ currentTarget }) =>
                onChange({ ...field, options: currentTarget.value.split('\n').slice(0, 30) })
              }
            />
          )}
        </Field>
      )}
      <SwitchRow label="Required" checked={field.required} onChange={(required) => onChange({ ...field, required })} />
    </section>
  )
}

function findChoicesError({ options = [] }: CustomField): string | undefined {
  return options.some((option) => option.trim() !== '') ? undefined : 'Please write at least one choice.'
}
