import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type FeedbackType, feedbackTypes } from '#contract/feedback.ts'
import { checkImport, type Import, type ImportField, type ImportLayout, importFields } from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { typeLabels } from '../feedback-labels.ts'

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

/** What each column of an uploaded file becomes, guessed from its names; then every row is checked. */
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
  const [fields, setFields] = useState<ReadonlyMap<number, ImportField>>(
    new Map(initial.columns.map(({ column, field }) => [column, field])),
  )
  const [defaultType, setDefaultType] = useState<FeedbackType>(initial.defaultType)
  const check = useMutation({
    mutationFn: () =>
      call(checkImport, {
        params: { organizationId, importId: item.id },
        body: { columns: [...fields].map(([column, field]) => ({ column, field })), defaultType },
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
      <p className="text-muted text-sm">Say what each column becomes. What is left out stays in the file.</p>
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
            <Select
              aria-label={`What ${name} becomes`}
              className="sm:w-60"
              value={fields.get(column) ?? ''}
              onChange={(event) => {
                const next = new Map(fields)
                const field = importFields.find((each) => each === event.target.value)
                if (field) next.set(column, field)
                else next.delete(column)
                setFields(next)
              }}
            >
              <option value="">Leave out</option>
              {Object.entries(fieldNames).map(([field, label]) => (
                <option key={field} value={field}>
                  {label}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
      <Field label="Type of items that name none" error={check.error?.message}>
        {(control) => (
          <Select
            {...control}
            value={defaultType}
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
      <Button type="submit" loading={check.isPending} disabled={fields.size === 0}>
        Check all rows
      </Button>
    </form>
  )
}
