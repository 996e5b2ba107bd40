import { CalendarRange, ChevronDown, FolderKanban } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import {
  type AnalyticsSearch,
  findRangeProblem,
  presetLabels,
  presets,
  readAnalyticsSearch,
} from './analytics-search.ts'

const options = [
  ...presets.map((value) => ({ value, label: presetLabels[value] })),
  { value: 'own' as const, label: 'Custom range' },
]

/** Which days and projects the numbers are of. */
export function PeriodBar({
  search,
  projects,
  onChange,
}: {
  search: AnalyticsSearch
  /** To choose from; undefined: not here. */
  projects?: readonly Project[] | undefined
  onChange: (search: AnalyticsSearch) => void
}) {
  const [isOwn, setOwn] = useState(search.period === 'own')
  const [isChoosing, setChoosing] = useState(false)
  const choose = (period: AnalyticsSearch['period']) => {
    setOwn(period === 'own')
    if (period === 'own') return
    const days = readAnalyticsSearch(new URLSearchParams({ days: period }), new Date())
    onChange({ ...days, projects: search.projects })
  }
  const names = new Map(projects?.map(({ id, name }) => [id, name]))
  const [only] = search.projects
  return (
    <div className="flex flex-wrap items-start gap-2">
      <PeriodSwitch value={isOwn ? 'own' : search.period} onChange={choose} />
      {projects && projects.length > 1 && (
        <PickMenu
          label="Projects"
          placeholder="Find a project"
          emptyText="No projects."
          isMultiple
          open={isChoosing}
          onOpenChange={setChoosing}
          options={projects.map(({ id, name, domain }) => ({
            value: id,
            label: name,
            hint: domain,
            state: search.projects.includes(id) ? 'on' : 'off',
          }))}
          onPick={(id) => onChange({ ...search, projects: toggle(search.projects, id) })}
        >
          <Button variant="secondary" className="h-9.5 max-w-60 pointer-coarse:h-11">
            <FolderKanban aria-hidden="true" />
            <span className="truncate">
              {only === undefined
                ? 'All projects'
                : search.projects.length === 1
                  ? (names.get(only) ?? 'One project')
                  : `${search.projects.length} projects`}
            </span>
            <ChevronDown aria-hidden="true" />
          </Button>
        </PickMenu>
      )}
      {isOwn && <OwnDays key={`${search.from} ${search.to}`} search={search} onChange={onChange} />}
    </div>
  )
}

type Period = AnalyticsSearch['period']

/** All in sight where there is room; on a phone one line that opens. */
function PeriodSwitch({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  return (
    <>
      <Select
        aria-label="Period"
        value={value}
        // The options below are the periods.
        onChange={({ currentTarget }) => onChange(currentTarget.value as Period)}
        className="w-auto sm:hidden"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
      <Segmented label="Period" value={value} options={options} onChange={onChange} className="max-sm:hidden" />
    </>
  )
}

function toggle(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].slice(-20)
}

function OwnDays({ search, onChange }: { search: AnalyticsSearch; onChange: (search: AnalyticsSearch) => void }) {
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
        value={from}
        onChange={(event) => setFrom(event.target.value)}
        className="w-38"
      />
      <span aria-hidden="true" className="text-muted">
        –
      </span>
      <Input
        type="date"
        aria-label="Last day"
        value={to}
        aria-invalid={problem !== undefined}
        aria-describedby="own-days-problem"
        onChange={(event) => setTo(event.target.value)}
        className="w-38"
      />
      <Button type="submit" variant="secondary">
        <CalendarRange aria-hidden="true" />
        Show
      </Button>
      <p id="own-days-problem" role="alert" className="basis-full text-danger-text text-sm empty:hidden">
        {problem}
      </p>
    </form>
  )
}
