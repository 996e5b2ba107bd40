import { useQuery } from '@tanstack/react-query'
import { ChevronDown, User, X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { auditCategories } from '#contract/audited-events.ts'
import { memberSearchQuery } from '#web/lib/members-query.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'
import { Select } from '#web/ui/select.tsx'
import { type AuditSearch, isFiltered, wholeLog } from './audit-search.ts'
import { categoryLabels } from './category-labels.tsx'
import { nilId } from './nil-id.ts'

interface BarProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
}

/**
 * Who, what and when.
 *
 * @param words searches by words, where that is possible
 * @param children finds actors, where there is a list of them
 */
export function AuditFilterBar({
  search,
  onChange,
  words,
  children,
}: BarProps & { words?: ReactNode; children?: ReactNode }) {
  return (
    <search aria-label="Filters" className="mt-6 flex flex-wrap items-center gap-2">
      {words}
      {children}
      <Select
        aria-label="Category"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.category}
        onChange={({ currentTarget }) => {
          const category = auditCategories.find((each) => each === currentTarget.value) ?? ''
          onChange({ ...search, category })
        }}
      >
        <option value="">All categories</option>
        {auditCategories.map((category) => (
          <option key={category} value={category}>
            {categoryLabels[category].label}
          </option>
        ))}
      </Select>
      <div className="flex items-center gap-2">
        <Day label="First day" value={search.from} onChange={(from) => onChange({ ...search, from })} />
        <span aria-hidden="true" className="text-muted">
          –
        </span>
        <Day label="Last day" value={search.to} onChange={(to) => onChange({ ...search, to })} />
      </div>
      {search.target !== '' && <Chip label="One target" onRemove={() => onChange({ ...search, target: '' })} />}
      {search.organization !== '' && (
        <Chip
          label={search.organization === nilId ? 'The instance' : 'One organisation'}
          onRemove={() => onChange({ ...search, organization: '' })}
        />
      )}
      {search.impersonation !== '' && (
        <Chip label="One impersonation" onRemove={() => onChange({ ...search, impersonation: '' })} />
      )}
      {children === undefined && search.actor !== '' && (
        <Chip label="One actor" onRemove={() => onChange({ ...search, actor: '' })} />
      )}
      {isFiltered(search) && (
        <Button variant="ghost" onClick={() => onChange(wholeLog)}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button variant="secondary" onClick={onRemove}>
      {label}
      <X aria-label="Remove this filter" />
    </Button>
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <Input
      type="date"
      aria-label={label}
      className="w-38"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** @param actorName of the selected actor, as the entries tell it. */
export function ActorPicker({ search, actorName, onChange }: BarProps & { actorName: string | undefined }) {
  const { organization } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed)
  const {
    data: members = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...memberSearchQuery(organization.id, words),
    enabled: isOpen,
  })
  const options = [
    ...members.map(({ userId, name, email }) => ({ value: userId, label: name, hint: email })),
    { value: 'system', label: 'Earshot', hint: 'Background jobs' },
  ]
  const selected = options.find(({ value }) => value === search.actor)?.label ?? actorName
  return (
    <PickMenu
      label="Actor"
      placeholder="Find a person"
      emptyText={isPending ? 'Loading…' : 'No members.'}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        setTyped('')
      }}
      onType={setTyped}
      isSearching={isPending || isPlaceholderData || words !== typed}
      options={options.map((option) => ({ ...option, state: option.value === search.actor ? 'on' : 'off' }))}
      onPick={(actor) => onChange({ ...search, actor: actor === search.actor ? '' : actor })}
    >
      <Button variant="secondary" className="max-w-60">
        <User aria-hidden="true" />
        <span className="truncate" dir="auto">
          {search.actor === '' ? 'Everyone' : (selected ?? 'One actor')}
        </span>
        <ChevronDown aria-hidden="true" />
      </Button>
    </PickMenu>
  )
}
