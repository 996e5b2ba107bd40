import type { ImportField } from '#contract/imports.ts'
import {
  type ImportValues,
  isValueField,
  maxListedValues,
  maxValueLength,
  type RatingScale,
} from '#contract/value-mapping.ts'
import { cleanLine } from '#server/platform/text/clean-text.ts'
import type { ImportRow } from './import-rows.ts'
import { countOrders } from './parse-time.ts'
import { readKnownValue } from './read-value.ts'

/** A column whose values are asked for. */
export interface AskedColumn {
  readonly column: number
  readonly field: ImportField
  readonly scale?: RatingScale
}

/**
 * Collects the different values of columns, with what each would become. Letter case makes no difference. Memory is
 * bounded by the number of values that are listed.
 *
 * @param maxMs how long rows are read; the rest of the file is left unread.
 */
export async function collectValues(
  rows: AsyncIterable<ImportRow>,
  asked: readonly AskedColumn[],
  maxMs: number,
): Promise<ImportValues> {
  const until = performance.now() + maxMs
  const collectors = asked.map((each) => ({ ...each, collector: createCollector(each) }))
  let isWholeFile = true
  for await (const { cells } of rows) {
    if (cells) for (const { column, collector } of collectors) collector.add(cleanLine(cells[column] ?? ''))
    if (performance.now() > until) {
      isWholeFile = false
      break
    }
  }
  return { columns: collectors.map(({ column, collector }) => ({ column, ...collector.read() })), isWholeFile }
}

function createCollector({ field, scale }: AskedColumn) {
  const dates = { dayFirst: 0, monthFirst: 0, ambiguous: 0 }
  const counts = new Map<string, { value: string; count: number }>()
  const count = (value: string) => {
    const key = value.toLowerCase()
    const known = counts.get(key)
    if (known) known.count += 1
    // One more than can be listed tells that there are more.
    else if (value.length <= maxValueLength && counts.size <= maxListedValues) counts.set(key, { value, count: 1 })
  }
  return {
    add: (value: string) => {
      if (value === '') return
      if (isValueField(field)) return count(value)
      const { dayFirst, monthFirst, ambiguous } = countOrders([value])
      dates.dayFirst += dayFirst
      dates.monthFirst += monthFirst
      dates.ambiguous += ambiguous
    },
    read: (): Omit<ImportValues['columns'][number], 'column'> => {
      if (!isValueField(field) || counts.size > maxListedValues) return { values: null, dates }
      const values = [...counts.values()].sort((one, other) => other.count - one.count)
      return {
        values: values.map((each) => ({ ...each, guess: readKnownValue(field, each.value, scale) ?? null })),
        dates,
      }
    },
  }
}
