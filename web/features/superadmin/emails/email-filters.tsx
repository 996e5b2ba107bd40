import { emailStatuses } from '#contract/superadmin-emails.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { TimeOrder } from '#web/ui/time-order.tsx'
import { OrganizationChip } from '../organization-chip.tsx'
import { describeKind } from './describe-kind.ts'
import { type EmailSearch, isFiltered } from './email-search.ts'
import { statusLabels } from './email-status.tsx'

interface FilterProps {
  search: EmailSearch
  onChange: (search: EmailSearch) => void
}

export function EmailFilters({ search, kinds, onChange }: FilterProps & { kinds: readonly string[] }) {
  // A kind of an opened link may have no email any more.
  const offered = search.kind === '' || kinds.includes(search.kind) ? kinds : [...kinds, search.kind]
  return (
    <search aria-label="Filters" className="contents">
      <SearchField
        label="Search emails"
        placeholder="Recipient’s email"
        value={search.search}
        onChange={(words) => onChange({ ...search, search: words })}
      />
      <Select
        aria-label="Status"
        className="w-auto min-w-36 flex-1 sm:flex-none"
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
        className="w-auto min-w-36 flex-1 sm:flex-none"
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
      <TimeOrder
        isOldestFirst={search.isOldestFirst}
        onChange={(isOldestFirst) => onChange({ ...search, isOldestFirst })}
      />
      {search.organizationId !== '' && (
        <OrganizationChip id={search.organizationId} onRemove={() => onChange({ ...search, organizationId: '' })} />
      )}
      {isFiltered(search) && (
        <Button
          variant="ghost"
          onClick={() => onChange({ ...search, search: '', kind: '', status: '', organizationId: '' })}
        >
          Clear filters
        </Button>
      )}
    </search>
  )
}
