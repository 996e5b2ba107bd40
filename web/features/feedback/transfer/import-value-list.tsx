import { closedReasonLabels, priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { type ImportValues, type ValueField, valueOptions } from '#contract/value-mapping.ts'
import { locale } from '#web/lib/locale.ts'
import { cn } from '#web/ui/class-names.ts'
import { Select } from '#web/ui/select.tsx'
import type { Target } from './import-fields.ts'

type FoundValue = NonNullable<ImportValues['columns'][number]['values']>[number]

interface ValueListProps {
  field: ValueField
  found: readonly FoundValue[]
  target: Target
  onChange: (reading: Partial<Target>) => void
}

/** The different values of a column with what each becomes; values that are not known come first. */
export function ValueList({ field, found, target, onChange }: ValueListProps) {
  const chosen = new Map(target.values?.map(({ from, to }) => [from.toLowerCase(), to]))
  const sorted = [...found].sort((one, other) => Number(one.guess !== null) - Number(other.guess !== null))
  const choose = (from: string, to: string | null) => {
    const others = target.values?.filter((each) => each.from.toLowerCase() !== from.toLowerCase()) ?? []
    onChange({ values: [...others, { from, to }] })
  }
  return (
    <ul className="flex max-h-80 flex-col divide-y divide-border overflow-y-auto rounded-md border border-border">
      {sorted.map((each) => (
        <ValueRow
          key={each.value}
          field={field}
          found={each}
          choice={chosen.get(each.value.toLowerCase())}
          onChoose={(to) => choose(each.value, to)}
        />
      ))}
    </ul>
  )
}

interface ValueRowProps {
  field: ValueField
  found: FoundValue
  /** Undefined: nothing was chosen; null: leave it out. */
  choice: string | null | undefined
  onChoose: (to: string | null) => void
}

function ValueRow({ field, found: { value, count, guess }, choice, onChoose }: ValueRowProps) {
  const isUnknown = guess === null && choice === undefined
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
      <span className="min-w-36 flex-1">
        <bdi className="block text-base [overflow-wrap:anywhere]">{value}</bdi>
        <span className={cn('block text-sm', isUnknown ? 'text-warning-text' : 'text-muted')}>
          {count === 1 ? '1 row' : `${count.toLocaleString(locale)} rows`}
          {isUnknown && ' · not recognised'}
        </span>
      </span>
      <Select
        aria-label={`${value} becomes`}
        className="w-full sm:w-60"
        value={(choice === undefined ? guess : choice) ?? ''}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">Leave out</option>
        {valueOptions[field].map((option) => (
          <option key={option} value={option}>
            {describeOption(field, option)}
          </option>
        ))}
      </Select>
    </li>
  )
}

const labels: Readonly<Record<Exclude<ValueField, 'rating'>, Readonly<Record<string, string>>>> = {
  type: typeLabels,
  status: statusLabels,
  closedReason: closedReasonLabels,
  priority: priorityLabels,
}

function describeOption(field: ValueField, option: string): string {
  if (field === 'rating') return `${option} of 5`
  const [value = '', reason] = option.split(':')
  const label = labels[field][value] ?? option
  return reason === undefined ? label : `${label}: ${(labels.closedReason[reason] ?? reason).toLowerCase()}`
}
