import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type FeedbackType, feedbackTypes } from '#contract/feedback.ts'
import {
  checkImport,
  type Import,
  type ImportField,
  type ImportLayout,
  type ImportMapping,
  importFields,
} from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'
import { typeLabels } from '#web/shared/feedback-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

const fieldNames: Readonly<Record<Exclude<ImportField, 'answer'>, string>> = {
  message: 'Message',
  title: 'Title (before the message)',
  type: 'Type',
  status: 'Status',
  closedReason: 'Closed reason',
  priority: 'Priority',
  rating: 'Rating, 1 to 5',
  nps: 'NPS, 0 to 10',
  tags: 'Tags',
  visitorName: 'Visitor name',
  visitorEmail: 'Visitor email',
  visitorId: 'Visitor ID',
  pageUrl: 'Page URL',
  pageTitle: 'Page title',
  createdAt: 'Created at',
  resolvedAt: 'Resolved at',
  metadata: 'Keep as metadata',
}

type Target = Omit<ImportMapping['columns'][number], 'column'>

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

/** Maps the columns of an uploaded file, guessed from their names; then validates every row. */
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
  const check = useMutation({
    mutationFn: () =>
      call(checkImport, {
        params: { organizationId, importId: item.id },
        body: { columns: [...columns].map(([column, target]) => ({ column, ...target })), defaultType },
      }),
    onSuccess: onChecking,
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        check.mutate()
      }}
    >
      <p className="text-muted text-sm">Map each column. Skipped columns are not imported.</p>
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
              questions={item.questions}
              onChange={(target) => setColumns(mapColumn(columns, column, target))}
            />
          </li>
        ))}
      </ul>
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
        Validate
      </Button>
    </form>
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
