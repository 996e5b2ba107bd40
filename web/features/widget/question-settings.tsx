import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { feedbackTypes } from '#contract/feedback.ts'
import { typeLabels } from '#contract/feedback-labels.ts'
import { ratingKinds } from '#contract/widget-settings.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { FieldEditor } from './field-editor.tsx'
import { Labelled } from './labelled.tsx'
import { createField } from './new-field.ts'
import { RowButton } from './row-button.tsx'
import type { SettingsPartProps } from './settings-part.ts'

const ratingLabels: Record<(typeof ratingKinds)[number], string> = {
  none: 'Hidden',
  faces: 'Faces',
  stars: 'Stars',
  nps: '0 to 10',
}

const askings = [
  { value: 'hidden', label: 'Hidden' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
] as const

/** What visitors are asked. */
export function QuestionSettings({ settings, change }: SettingsPartProps) {
  const { fields, consent } = settings
  return (
    <>
      <TypesEditor settings={settings} change={change} />
      <Labelled label="Rating">
        <Segmented
          label="Rating"
          value={settings.rating}
          options={ratingKinds.map((value) => ({ value, label: ratingLabels[value] }))}
          onChange={(rating) => change({ rating })}
        />
      </Labelled>
      <Labelled label="Email">
        <Segmented label="Email" value={settings.email} options={askings} onChange={(email) => change({ email })} />
      </Labelled>
      <Labelled label="Name">
        <Segmented label="Name" value={settings.name} options={askings} onChange={(name) => change({ name })} />
      </Labelled>
      <div className="flex flex-col gap-3">
        <p className="font-medium text-base">Custom questions</p>
        {fields.map((field, index) => (
          <FieldEditor
            key={field.id}
            field={field}
            onChange={(next) => change({ fields: fields.with(index, next) })}
            onRemove={() => change({ fields: fields.toSpliced(index, 1) })}
            onMove={(by) => change({ fields: move(fields, index, by) })}
            isFirst={index === 0}
            isLast={index === fields.length - 1}
          />
        ))}
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          disabled={fields.length >= 10}
          onClick={() => change({ fields: [...fields, createField(fields)] })}
        >
          <Plus aria-hidden="true" />
          Add a question
        </Button>
      </div>
      <Field
        label="Consent text"
        hint="Shown above the send button, for example how you use the data. Empty: not shown."
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={500}
            value={consent.text}
            onChange={({ currentTarget }) => change({ consent: { ...consent, text: currentTarget.value } })}
          />
        )}
      </Field>
      {consent.text !== '' && (
        <SwitchRow
          label="Consent required"
          hint="Adds a checkbox that must be ticked before sending."
          checked={consent.required}
          onChange={(required) => change({ consent: { ...consent, required } })}
        />
      )}
    </>
  )
}

/** Which kinds there are to choose from, and in which order. */
function TypesEditor({ settings, change }: SettingsPartProps) {
  const { types } = settings
  const others = feedbackTypes.filter((type) => !types.includes(type))
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-base">Feedback types</legend>
      <ul className="divide-y divide-border rounded-md border border-border bg-surface">
        {types.map((type, index) => (
          <li key={type} className="flex min-h-10 items-center gap-1 py-1 pr-1 pl-3 text-base">
            <span className="flex-1">{typeLabels[type]}</span>
            <RowButton
              label={`Move ${typeLabels[type]} up`}
              disabled={index === 0}
              onPress={() => change({ types: move(types, index, -1) })}
            >
              <ArrowUp aria-hidden="true" />
            </RowButton>
            <RowButton
              label={`Move ${typeLabels[type]} down`}
              disabled={index === types.length - 1}
              onPress={() => change({ types: move(types, index, 1) })}
            >
              <ArrowDown aria-hidden="true" />
            </RowButton>
            <RowButton
              label={`Remove ${typeLabels[type]}`}
              onPress={() => change({ types: types.filter((each) => each !== type) })}
            >
              <Trash2 aria-hidden="true" />
            </RowButton>
          </li>
        ))}
        {types.length === 0 && <li className="px-3 py-2.5 text-base text-muted">Visitors aren’t asked for a type.</li>}
      </ul>
      {others.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {others.map((type) => (
            <Button key={type} variant="secondary" size="sm" onClick={() => change({ types: [...types, type] })}>
              <Plus aria-hidden="true" />
              {typeLabels[type]}
            </Button>
          ))}
        </div>
      )}
    </fieldset>
  )
}

function move<Item>(list: readonly Item[], index: number, by: number): Item[] {
  const next = [...list]
  const [item] = next.splice(index, 1)
  if (item !== undefined) next.splice(index + by, 0, item)
  return next
}
