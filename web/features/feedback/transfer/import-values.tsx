import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  type DateEvidence,
  type DateOrder,
  decideOrder,
  type ImportValues,
  isDateField,
  isValueField,
  listImportValues,
  maxListedValues,
  type RatingScale,
} from '#contract/value-mapping.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { fieldNames, type Target } from './import-fields.ts'
import { ValueList } from './import-value-list.tsx'

interface MapValuesProps {
  organizationId: string
  importId: string
  /** Names of the file's columns, by place. */
  names: readonly string[]
  columns: ReadonlyMap<number, Target>
  onChange: (columns: ReadonlyMap<number, Target>) => void
  onBack: () => void
  onDone: (columns: ReadonlyMap<number, Target>) => void
  isPending: boolean
  error: Error | null
}

type ColumnValues = ImportValues['columns'][number]

/** Maps the different values of columns such as status and priority, and asks for the order of dates. */
export function MapValues(props: MapValuesProps) {
  const { organizationId, importId, names, columns, onChange, onBack, onDone, isPending, error } = props
  const found = useQuery(valuesQuery(organizationId, importId, columns))
  const change = (column: number, reading: Partial<Target>) => {
    const target = columns.get(column)
    if (target) onChange(new Map(columns).set(column, { ...target, ...reading }))
  }
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (found.data) onDone(settleOrders(columns, found.data))
      }}
    >
      <p className="text-muted text-sm">Check what the values of your file become.</p>
      {found.data ? (
        found.data.columns.map((each) => {
          const target = columns.get(each.column)
          return (
            target && (
              <ColumnReading
                key={each.column}
                name={names[each.column] ?? ''}
                target={target}
                found={each}
                onChange={(reading) => change(each.column, reading)}
              />
            )
          )
        })
      ) : found.error ? (
        <LoadFailure title="Couldn’t read the values" error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div className="flex flex-col gap-3" role="status" aria-label="Reading the values">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
      {found.data?.isWholeFile === false && (
        <p className="text-muted text-sm">
          This file is long: these are the values of its first rows. Validation reads them all.
        </p>
      )}
      {error && (
        <p role="alert" className="text-danger-text text-sm">
          {error.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" loading={isPending} disabled={!found.data}>
          Validate
        </Button>
      </div>
    </form>
  )
}

function valuesQuery(organizationId: string, importId: string, columns: ReadonlyMap<number, Target>) {
  const asked = [...columns].flatMap(([column, { field, scale }]) =>
    isValueField(field) || field === 'createdAt' || field === 'resolvedAt'
      ? [{ column, field, ...(scale && { scale }) }]
      : [],
  )
  return queryOptions({
    queryKey: ['import-values', organizationId, importId, asked],
    queryFn: ({ signal }) =>
      call(listImportValues, { params: { organizationId, importId }, body: { columns: asked }, signal }),
    // While the scale of a rating changes, its values stay.
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
}

/** The order that the file's dates tell is used where none was chosen. */
function settleOrders(columns: ReadonlyMap<number, Target>, found: ImportValues): ReadonlyMap<number, Target> {
  const settled = new Map(columns)
  for (const { column, dates } of found.columns) {
    const target = columns.get(column)
    const dateOrder = target?.dateOrder ?? decideOrder(dates)
    if (target && isDateField(target.field) && dateOrder) settled.set(column, { ...target, dateOrder })
  }
  return settled
}

interface ColumnReadingProps {
  name: string
  target: Target
  found: ColumnValues
  onChange: (reading: Partial<Target>) => void
}

function ColumnReading({ name, target, found, onChange }: ColumnReadingProps) {
  const { field, scale = 'stars' } = target
  const { dayFirst, monthFirst, ambiguous } = found.dates
  const isClear = isDateField(field) && dayFirst + monthFirst + ambiguous === 0
  if (isClear || found.values?.length === 0 || field === 'answer') return null
  return (
    <section aria-label={`Values of ${name}`} className="flex flex-col gap-3">
      <h3 className="flex min-w-0 items-baseline gap-2 text-base">
        <bdi className="truncate font-medium">{name}</bdi>
        <span className="shrink-0 text-muted text-sm">{fieldNames[field]}</span>
      </h3>
      {field === 'rating' && (
        <Field label="Scale">
          {(control) => (
            <Select
              {...control}
              value={scale}
              // The options below are the scales. Chosen values belong to the former scale.
              onChange={(event) => onChange({ scale: event.target.value as RatingScale, values: [] })}
            >
              <option value="stars">Stars or points: more is better</option>
              <option value="school_grade">German school grades: 1 is best</option>
            </Select>
          )}
        </Field>
      )}
      {isDateField(field) ? (
        <DateOrderField name={name} dates={found.dates} chosen={target.dateOrder} onChange={onChange} />
      ) : found.values === null ? (
        <p className="text-muted text-sm">
          More than {maxListedValues} different values. Those that can’t be read are left out.
        </p>
      ) : (
        isValueField(field) && <ValueList field={field} found={found.values} target={target} onChange={onChange} />
      )}
    </section>
  )
}

interface DateOrderFieldProps {
  name: string
  dates: DateEvidence
  chosen: DateOrder | undefined
  onChange: (reading: Partial<Target>) => void
}

function DateOrderField({ name, dates, chosen, onChange }: DateOrderFieldProps) {
  const told = decideOrder(dates)
  const isMixed = dates.dayFirst > 0 && dates.monthFirst > 0
  const hint = isMixed
    ? 'The file has dates of both orders. This is for those that could be either.'
    : told
      ? 'Read from the file: one of the numbers is over 12.'
      : 'These dates could be either. Select what the file means.'
  return (
    <Field label="Date order" hint={hint}>
      {(control) => (
        <Select
          {...control}
          required={dates.ambiguous > 0}
          aria-label={`Date order of ${name}`}
          value={chosen ?? told ?? ''}
          // The options below are the orders.
          onChange={(event) => onChange({ dateOrder: event.target.value as DateOrder })}
        >
          {chosen === undefined && told === undefined && <option value="">Select…</option>}
          <option value="day_first">Day first: 31/01/2026</option>
          <option value="month_first">Month first: 01/31/2026</option>
        </Select>
      )}
    </Field>
  )
}
