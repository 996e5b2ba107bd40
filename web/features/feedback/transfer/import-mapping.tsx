import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type FeedbackType, feedbackTypes } from '#contract/feedback.ts'
import { typeLabels } from '#contract/feedback-labels.ts'
import { checkImport, type Import, type ImportLayout, importFields } from '#contract/imports.ts'
import { isDateField, isValueField } from '#contract/value-mapping.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { fieldNames, type Target } from './import-fields.ts'
import { MapValues } from './import-values.tsx'

// No field is called so.
const answerMark = 'answer:'

function writeTarget(target: Target | undefined): string {
  if (!target) return ''
  return target.field === 'answer' ? answerMark + target.question : target.field
}

function readTarget(value: string): Target | undefined {
  if (value.startsWith(answerMark)) return { field: 'answer', question: value.slice(answerMark.length) }
  const field = importFields.find((each) => each === value)
  return field && { field }
}

/**
 * Maps the columns of an uploaded file, guessed from their names, then the values of those whose values have a meaning.
 * At last validates every row.
 */
export function MapColumns({
  organizationId,
  item,
  layout,
  onChecking,
}: {
  organizationId: string
  item: Import
  layout: ImportLayout
  onChecking: (next: Import) => void
}) {
  const initial = item.mapping ?? layout.suggestion
  const [columns, setColumns] = useState<ReadonlyMap<number, Target>>(
    new Map(initial.columns.map(({ column, ...target }) => [column, target])),
  )
  const [defaultType, setDefaultType] = useState<FeedbackType>(initial.defaultType)
  const [isMappingValues, setIsMappingValues] = useState(false)
  const check = useMutation({
    mutationFn: (mapped: ReadonlyMap<number, Target>) =>
      call(checkImport, {
        params: { organizationId, importId: item.id },
        body: { columns: [...mapped].map(([column, target]) => ({ column, ...target })), defaultType },
      }),
    onSuccess: onChecking,
  })
  const hasValues = [...columns.values()].some(({ field }) => isValueField(field) || isDateField(field))
  if (isMappingValues) {
    return (
      <MapValues
        organizationId={organizationId}
        importId={item.id}
        names={layout.columns.map(({ name }) => name)}
        columns={columns}
        onChange={setColumns}
        onBack={() => setIsMappingValues(false)}
        onDone={check.mutate}
        isPending={check.isPending}
        error={check.error}
      />
    )
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (hasValues) setIsMappingValues(true)
        else check.mutate(columns)
      }}
    >
      <p className="text-muted text-sm">Map each column. Skipped columns are not imported.</p>
      <ColumnList
        layout={layout}
        questions={item.questions}
        columns={columns}
        onChange={(column, target) => setColumns(mapColumn(columns, column, target))}
      />
      <Field label="Default type" error={check.error?.message}>
        {(control) => (
          <Select
            {...control}
            value={defaultType}
            // The options below are the types of feedback.
            onChange={(event) => setDefaultType(event.target.value as FeedbackType)}
          >
            {feedbackTypes.map((type) => (
              <option key={type} value={type}>
                {typeLabels[type]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" loading={check.isPending} disabled={columns.size === 0}>
        {hasValues ? 'Continue' : 'Validate'}
      </Button>
    </form>
  )
}

interface ColumnListProps {
  layout: ImportLayout
  questions: Import['questions']
  columns: ReadonlyMap<number, Target>
  onChange: (column: number, target: Target | undefined) => void
}

function ColumnList({ layout, questions, columns, onChange }: ColumnListProps) {
  return (
    <ul className="flex flex-col divide-y divide-border">
      {layout.columns.map(({ name }, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <li key={column} className="flex flex-col gap-2 py-3 sm:flex-row sm:items-center sm:gap-4">
          <div className="min-w-0 flex-1">
            <bdi className="block truncate font-medium text-base">{name}</bdi>
            <bdi className="block truncate text-muted text-sm">
              {layout.rows.map((row) => row[column]).find((cell) => cell) ?? 'empty'}
            </bdi>
          </div>
          <TargetSelect
            name={name}
            target={columns.get(column)}
            questions={questions}
            onChange={(target) => onChange(column, target)}
          />
        </li>
      ))}
    </ul>
  )
}

/** A question has one answer: the column that had it before is skipped. */
function mapColumn(columns: ReadonlyMap<number, Target>, column: number, target: Target | undefined) {
  const next = new Map(columns)
  for (const [other, { question }] of next) if (question === (target?.question ?? '')) next.delete(other)
  if (target) next.set(column, target)
  else next.delete(column)
  return next
}

interface TargetSelectProps {
  name: string
  target: Target | undefined
  questions: Import['questions']
  onChange: (target: Target | undefined) => void
}

function TargetSelect({ name, target, questions, onChange }: TargetSelectProps) {
  return (
    <Select
      aria-label={`Field for ${name}`}
      className="sm:w-60"
      value={writeTarget(target)}
      onChange={(event) => onChange(readTarget(event.target.value))}
    >
      <option value="">Skip</option>
      {Object.entries(fieldNames).map(([field, label]) => (
        <option key={field} value={field}>
          {label}
        </option>
      ))}
      {questions.length > 0 && (
        <optgroup label="Answers to your questions">
          {questions.map(({ id, label }) => (
            <option key={id} value={answerMark + id}>
              {label}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  )
}
