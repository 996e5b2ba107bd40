import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { type FeedbackLocation, feedbackLocations } from '#contract/feedback.ts'
import { countMatches, matchLimit } from '#contract/inbox.ts'
import type { DeliveryRules } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { locationLabels } from '#web/shared/feedback-labels.ts'
import { formatItems } from '#web/shared/format-count.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/field.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'
import { Select } from '#web/ui/select.tsx'
import { describeRule, listOtherRules, type RuleFacet, readRule, toggleRule, useRuleFacets } from '../rule-facets.ts'

const maxTagLength = 50

interface EditorProps {
  rules: DeliveryRules
  error: string | undefined
  onChange: (rules: DeliveryRules) => void
}

/** Which items' events are delivered: by the same values as the filters of the inbox. */
export function RulesEditor({ rules, error, onChange }: EditorProps) {
  const facets = useRuleFacets(rules)
  const others = listOtherRules(rules)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {facets.map((facet) => (
          <FacetPicker key={facet.name} facet={facet} rules={rules} onChange={onChange} />
        ))}
        <LocationField rules={rules} onChange={onChange} />
      </div>
      {others.length > 0 && (
        <p className="text-muted text-sm">Also filtered by {others.join(', ')}, as set through the API.</p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-danger-text text-sm">
          {error}
        </p>
      )}
      <MatchCount rules={rules} />
    </div>
  )
}

function FacetPicker({
  facet,
  rules,
  onChange,
}: {
  facet: RuleFacet
  rules: DeliveryRules
  onChange: (rules: DeliveryRules) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const { name, label, options } = facet
  const selected = readRule(rules, name)
  const shown = describeRule(rules, facet)
  const toggle = (value: string) => onChange(toggleRule(rules, name, value))
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span aria-hidden="true" className="font-medium text-base">
        {label}
      </span>
      <PickMenu
        label={label}
        placeholder="Search"
        emptyText={name === 'tag' ? 'Type a tag.' : 'No values.'}
        isMultiple
        open={isOpen}
        onOpenChange={setOpen}
        options={options.map((option) => ({ ...option, state: selected.includes(option.value) ? 'on' : 'off' }))}
        onPick={toggle}
        {...(name === 'tag' && {
          create: { label: (typed: string) => `Tag “${typed}”`, onCreate: toggle, maxLength: maxTagLength },
        })}
      >
        <Button
          variant="secondary"
          aria-label={`${label}: ${shown === '' ? 'Any' : shown}`}
          className="w-full justify-between border-border-strong px-3 font-normal"
        >
          <bdi className={cn('min-w-0 truncate', shown === '' && 'text-muted')}>{shown === '' ? 'Any' : shown}</bdi>
          <ChevronDown aria-hidden="true" className="text-muted" />
        </Button>
      </PickMenu>
    </div>
  )
}

function LocationField({ rules, onChange }: Pick<EditorProps, 'rules' | 'onChange'>) {
  const change = (location: FeedbackLocation | undefined) => {
    const { location: _, ...others } = rules
    onChange(location === undefined || location === 'inbox' ? others : { ...others, location })
  }
  return (
    <Field label="Location">
      {(control) => (
        <Select
          {...control}
          value={rules.location ?? 'inbox'}
          onChange={({ currentTarget }) => change(feedbackLocations.find((each) => each === currentTarget.value))}
        >
          {feedbackLocations.map((location) => (
            <option key={location} value={location}>
              {locationLabels[location]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** How many items the rules select at the moment, as a check of what one means. */
function MatchCount({ rules }: Pick<EditorProps, 'rules'>) {
  const { organization } = useOrganization()
  const { data } = useQuery({
    queryKey: [...feedbackKey(organization.id), 'rule-matches', rules],
    queryFn: ({ signal }) => call(countMatches, { params: { organizationId: organization.id }, query: rules, signal }),
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
  return (
    <p aria-live="polite" className="min-h-5 text-muted text-sm tabular-nums">
      {data && `${formatItems(data.count, matchLimit)} match${data.count === 1 ? 'es' : ''} now.`}
    </p>
  )
}
