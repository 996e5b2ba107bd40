import { CalendarRange } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { metricsSteps } from '#contract/superadmin-metrics.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import {
  daysUntil,
  findRangeProblem,
  type MetricsPreset,
  type MetricsSearch,
  metricsPresets,
} from './metrics-search.ts'

const presetLabels: Readonly<Record<MetricsPreset, string>> = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '365': '12 months',
}
const stepLabels = { day: 'By day', week: 'By week', month: 'By month' } as const

interface PeriodProps {
  search: MetricsSearch
  onChange: (search: MetricsSearch) => void
}

/** Which days the figures are of, and in which steps they are shown. */
export function PeriodChoice({ search, onChange }: PeriodProps) {
  const [isOwn, setOwn] = useState(search.period === 'own')
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        aria-label="Period"
        className="w-auto"
        value={isOwn ? 'own' : search.period}
        onChange={({ currentTarget: { value } }) => {
          const period = metricsPresets.find((each) => each === value)
          setOwn(period === undefined)
          if (period) onChange({ ...search, period, ...daysUntil(new Date(), Number(period)) })
        }}
      >
        {metricsPresets.map((preset) => (
          <option key={preset} value={preset}>
            {presetLabels[preset]}
          </option>
        ))}
        <option value="own">Custom range</option>
      </Select>
      <Select
        aria-label="Step"
        className="w-auto"
        value={search.step}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, step: metricsSteps.find((each) => each === value) ?? '' })
        }
      >
        <option value="">Automatic steps</option>
        {metricsSteps.map((step) => (
          <option key={step} value={step}>
            {stepLabels[step]}
          </option>
        ))}
      </Select>
      {isOwn && <OwnDays key={`${search.from} ${search.to}`} search={search} onChange={onChange} />}
    </div>
  )
}

function OwnDays({ search, onChange }: PeriodProps) {
  const [from, setFrom] = useState(search.from)
  const [to, setTo] = useState(search.to)
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findRangeProblem(from, to)
    setProblem(found)
    if (found === undefined) onChange({ ...search, period: 'own', from, to })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-wrap items-center gap-2">
      <Input
        type="date"
        aria-label="First day"
        className="w-38"
        value={from}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <Input
        type="date"
        aria-label="Last day"
        className="w-38"
        value={to}
        aria-invalid={problem !== undefined}
        aria-describedby="metrics-days-problem"
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Button type="submit" variant="secondary">
        <CalendarRange aria-hidden="true" />
        Show
      </Button>
      <p id="metrics-days-problem" role="alert" className="basis-full text-danger-text text-sm empty:hidden">
        {problem}
      </p>
    </form>
  )
}
