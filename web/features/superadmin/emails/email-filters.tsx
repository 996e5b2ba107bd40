import { useEffect, useState } from 'react'
import { emailStatuses } from '#contract/superadmin-emails.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { OrganizationChip } from '../organization-chip.tsx'
import { describeKind } from './describe-kind.ts'
import { type EmailSearch, isFiltered } from './email-search.ts'
import { statusLabels } from './email-status.tsx'

/** Time after the last key until the list follows. */
const typingMs = 300

interface FilterProps {
  search: EmailSearch
  onChange: (search: EmailSearch) => void
}

export function EmailFilters({ search, kinds, onChange }: FilterProps & { kinds: readonly string[] }) {
  // A kind of an opened link may have no email any more.
  const offered = search.kind === '' || kinds.includes(search.kind) ? kinds : [...kinds, search.kind]
  return (
    <search aria-label="Filters" className="contents">
      <AddressSearch search={search} onChange={onChange} />
      <Select
        aria-label="Status"
        className="w-auto min-w-0 flex-1 sm:flex-none"
        value={search.status}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, status: emailStatuses.find((each) => each === value) ?? '' })
        }
      >
        <option value="">All statuses</option>
        {emailStatuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Kind"
        className="w-auto min-w-0 flex-1 sm:flex-none"
        value={search.kind}
        onChange={({ currentTarget }) => onChange({ ...search, kind: currentTarget.value })}
      >
        <option value="">All kinds</option>
        {offered.map((kind) => (
          <option key={kind} value={kind}>
            {describeKind(kind)}
          </option>
        ))}
      </Select>
      {search.organizationId !== '' && (
        <OrganizationChip id={search.organizationId} onRemove={() => onChange({ ...search, organizationId: '' })} />
      )}
      {isFiltered(search) && (
        <Button variant="ghost" onClick={() => onChange({ search: '', kind: '', status: '', organizationId: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

function AddressSearch({ search, onChange }: FilterProps) {
  const [typed, setTyped] = useState(search.search)
  const [shown, setShown] = useState(search.search)
  // The address changed, such as by Back or “Clear filters”: not by what was typed here.
  if (search.search !== shown) {
    setShown(search.search)
    if (search.search !== typed) setTyped(search.search)
  }
  useEffect(() => {
    if (typed === search.search) return
    const timer = setTimeout(() => onChange({ ...search, search: typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, search, onChange])
  return (
    <Input
      type="search"
      aria-label="Search emails"
      placeholder="Recipient’s email"
      className="w-full sm:w-72"
      maxLength={254}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}
