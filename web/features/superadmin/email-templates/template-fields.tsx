import { useRef } from 'react'
import type { EmailPreview, EmailTemplateField, EmailTemplateVariable } from '#contract/email-templates.ts'
import { ApiError } from '#web/lib/api.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import type { TemplateDraft } from './use-template-draft.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

/** Every text of an email, and the variables that can stand in it. */
export function TemplateFields({ draft, preview }: { draft: TemplateDraft; preview: EmailPreview | undefined }) {
  const { template, words, edit, error } = draft
  // Where a variable is inserted: the text that last had the focus, in which the browser keeps the selection.
  const last = useRef<{ name: string; control: Control } | null>(null)
  const main = template.fields.filter(({ when }) => when === null)
  const others = template.fields.filter(({ when }) => when !== null)

  const findMessage = (name: string): string | undefined => {
    const now = preview?.problems.find(({ field }) => field === name)?.message
    const refused = error instanceof ApiError ? error.findFieldMessage(`words.${name}`) : undefined
    const message = now ?? (preview ? undefined : refused)
    return message && `This text ${message}${message.endsWith('?') ? '' : '.'}`
  }
  const insert = (variable: string) => {
    const { name, control } = last.current ?? {}
    if (name === undefined || !control) return
    const { selectionStart, selectionEnd, value } = control
    const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length]
    const added = `{{${variable}}}`
    edit(name, value.slice(0, start) + added + value.slice(end))
    // After the field has its new text.
    requestAnimationFrame(() => {
      control.focus()
      control.setSelectionRange(start + added.length, start + added.length)
    })
  }
  const show = (field: EmailTemplateField) => (
    <WordsField
      key={field.name}
      field={field}
      value={words[field.name] ?? ''}
      problem={findMessage(field.name)}
      hint={preview?.hints.find((hint) => hint.field === field.name)?.message}
      onFocus={(control) => {
        last.current = { name: field.name, control }
      }}
      onChange={(text) => edit(field.name, text)}
    />
  )
  return (
    <div className="flex flex-col gap-4">
      {main.map(show)}
      {others.length > 0 && main.length > 0 && (
        <details className="rounded-lg border border-border bg-surface" open={hasProblem(others, preview) || undefined}>
          <summary className="cursor-pointer px-4 py-3 font-medium text-base">Other texts ({others.length})</summary>
          <div className="flex flex-col gap-4 px-4 pt-1 pb-4">{others.map(show)}</div>
        </details>
      )}
      {main.length === 0 && others.map(show)}
      <Variables variables={template.variables} needs={template.needs} onInsert={insert} />
    </div>
  )
}

function hasProblem(fields: readonly EmailTemplateField[], preview: EmailPreview | undefined): boolean {
  return fields.some(({ name }) => preview?.problems.some(({ field }) => field === name))
}

interface WordsFieldProps {
  field: EmailTemplateField
  value: string
  problem: string | undefined
  hint: string | undefined
  onFocus: (control: Control) => void
  onChange: (text: string) => void
}

function WordsField({ field, value, problem, hint, onFocus, onChange }: WordsFieldProps) {
  const { label, when, form, isRequired, name } = field
  const paragraphs = form === 'text' ? 'A blank line begins a paragraph.' : undefined
  const note = hint === undefined ? (when ?? paragraphs) : `${label} ${hint}.`
  // A phrase is a variable of the texts above, and its name is needed there.
  const aside = when?.startsWith('Shown when') ? `{{${name}}}` : isRequired ? undefined : 'Optional'
  const common = {
    value,
    maxLength: field.maxLength,
    onFocus: ({ currentTarget }: { currentTarget: Control }) => onFocus(currentTarget),
    onChange: ({ currentTarget }: { currentTarget: Control }) => onChange(currentTarget.value),
  }
  const rows = Math.min(
    14,
    Math.max(form === 'text' ? 4 : 2, Math.ceil(value.length / 60) + value.split('\n').length - 1),
  )
  return (
    <Field label={label} hint={note} error={problem} {...(aside !== undefined && { aside })}>
      {(control) =>
        form === 'text' || value.length > 80 ? (
          <Textarea {...control} {...common} rows={rows} />
        ) : (
          <Input {...control} {...common} />
        )
      }
    </Field>
  )
}

interface VariablesProps {
  variables: readonly EmailTemplateVariable[]
  needs: readonly string[]
  onInsert: (name: string) => void
}

function Variables({ variables, needs, onInsert }: VariablesProps) {
  return (
    <section aria-label="Variables" className="flex flex-col gap-2">
      <h3 className="font-medium text-base">Variables</h3>
      <p className="text-muted text-sm">
        Select a text, then a variable to insert it. Markup is shown as text.
        {needs.length > 0 && ` Text or small print must contain ${needs.map((name) => `{{${name}}}`).join(', ')}.`}
      </p>
      <ul className="divide-y divide-border rounded-lg border border-border bg-surface">
        {variables.map(({ name, meaning, example }) => (
          <li key={name} className="grid gap-x-3 gap-y-0.5 px-3 py-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <span>
              <button
                type="button"
                aria-label={`Insert ${name}`}
                className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-sm hover:bg-hover"
                onClick={() => onInsert(name)}
              >
                {`{{${name}}}`}
              </button>
            </span>
            <span className="min-w-0 text-sm">
              {meaning}
              {example !== '' && (
                <bdi className="block truncate text-muted" title={example}>
                  {example}
                </bdi>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
