import type { RefObject } from 'react'
import { logLevels } from '#contract/superadmin-logs.ts'
import { toCalendarDay, toMoment } from '#web/lib/date-style.ts'
import { Input } from '#web/ui/input.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { LogSearch, logRanges } from './log-search.ts'

const rangeLabels: Readonly<Record<keyof typeof logRanges | 'custom', string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  custom: 'Custom range',
}

interface LogFiltersProps {
  search: LogSearch
  processes: readonly string[]
  onChange: (search: LogSearch) => void
  /** Around the field for words. */
  field: RefObject<HTMLDivElement | null>
}

export function LogFilters({ search, processes, onChange, field }: LogFiltersProps) {
  const change = (part: Partial<LogSearch>) => onChange({ ...search, around: '', ...part })
  const { level, process, range } = search
  // Processes of an opened link may have left.
  const offered = process === '' || processes.includes(process) ? processes : [...processes, process]
  const selectStyle = 'w-auto min-w-36 flex-1 sm:flex-none'
  return (
    <search aria-label="Filters" className="contents">
      <div ref={field} className="contents">
        <SearchField
          label="Search log lines"
          placeholder="Words or &quot;a phrase&quot;"
          value={search.words}
          onChange={(words) => change({ words })}
        />
      </div>
      <Select
        aria-label="Level"
        className={selectStyle}
        value={level}
        onChange={({ currentTarget: { value } }) => change({ level: logLevels.find((each) => each === value) ?? '' })}
      >
        <option value="">All levels</option>
        {logLevels.slice(1).map((each) => (
          <option key={each} value={each}>
            {each === 'fatal' ? 'Fatal' : `${each[0]?.toUpperCase()}${each.slice(1)} and above`}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Time"
        className={selectStyle}
        value={range}
        onChange={({ currentTarget: { value } }) =>
          change({
            // A key of the labels is a range.
            range: (Object.keys(rangeLabels).find((each) => each === value) as LogSearch['range']) ?? '',
            from: '',
            to: '',
          })
        }
      >
        <option value="">All times</option>
        {Object.entries(rangeLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {(offered.length > 1 || process !== '') && (
        <Select
          aria-label="Process"
          className={`${selectStyle} max-w-60`}
          value={process}
          onChange={({ currentTarget: { value } }) => change({ process: value })}
        >
          <option value="">All processes</option>
          {offered.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
      )}
      {range === 'custom' && (
        <>
          <MomentField label="From" value={search.from} onChange={(from) => change({ from })} />
          <MomentField label="To" value={search.to} onChange={(to) => change({ to })} />
        </>
      )}
    </search>
  )
}

/** A moment in the reader's time zone. */
function MomentField({ label, value, onChange }: { label: string; value: string; onChange: (iso: string) => void }) {
  return (
    <Input
      type="datetime-local"
      aria-label={label}
      className="w-auto"
      value={toField(value)}
      onChange={({ currentTarget }) => onChange(fromField(currentTarget.value))}
    />
  )
}

function toField(iso: string): string {
  if (iso === '') return ''
  const moment = new Date(iso)
  const { year, month, day } = toCalendarDay(moment)
  const pad = (number: number) => String(number).padStart(2, '0')
  const minutes = Math.round((moment.getTime() - toMoment({ year, month, day }, 0).getTime()) / 60_000)
  return `${year}-${pad(month)}-${pad(day)}T${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`
}

function fromField(text: string): string {
  const [, year, month, day, hours, minutes] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text) ?? []
  if (minutes === undefined) return ''
  const calendarDay = { year: Number(year), month: Number(month), day: Number(day) }
  return toMoment(calendarDay, Number(hours) * 60 + Number(minutes)).toISOString()
}
