import type { Integration, IntegrationType } from '#contract/integrations.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import { SwitchRow } from '#web/ui/switch.tsx'
import { type LabelSource, tidyMapping, withLabel } from './mapping-draft.ts'
import { StatusMapping } from './status-mapping.tsx'

const labelSwitches: readonly { source: LabelSource; label: string; hint: string }[] = [
  { source: 'type', label: 'Type as a label', hint: 'Such as bug or idea.' },
  { source: 'priority', label: 'Priority as a label', hint: 'Such as priority:high. None without a priority.' },
  { source: 'tags', label: 'Tags as labels', hint: 'One label for each tag.' },
  { source: 'project', label: 'Project as a label', hint: 'The project’s name.' },
]

/** How feedback becomes issues of a connected tracker: statuses both ways, and the fields that the tracker takes. */
export function MappingEditor({
  service,
  integration,
  mapping,
  error,
  onChange,
}: {
  service: IntegrationType
  integration: Integration
  mapping: IssueMapping
  error: string | undefined
  onChange: (mapping: IssueMapping) => void
}) {
  const takes = service.issues?.takes ?? []
  return (
    <div className="flex flex-col gap-6 p-5">
      <StatusMapping service={service} integration={integration} mapping={mapping} onChange={onChange} />
      {takes.length > 0 && (
        <section aria-label="Fields of new issues" className="flex flex-col gap-3 border-border border-t pt-5">
          <h3 className="font-medium text-base">Fields of new issues</h3>
          {takes.includes('labels') &&
            labelSwitches.map(({ source, label, hint }) => (
              <SwitchRow
                key={source}
                label={label}
                hint={hint}
                checked={mapping.labels?.[source] === true}
                onChange={(isOn) => onChange(withLabel(mapping, source, isOn))}
              />
            ))}
          {takes.includes('priority') && (
            <SwitchRow
              label="Priority"
              hint={`Sets the priority in ${service.name}. None without a priority.`}
              checked={mapping.priority === true}
              onChange={(priority) => onChange(tidyMapping({ ...mapping, priority }))}
            />
          )}
          {takes.includes('assignee') && (
            <SwitchRow
              label="Assignee"
              hint={`Assigns the person in ${service.name} who has the assignee’s email address.`}
              checked={mapping.assignee === true}
              onChange={(assignee) => onChange(tidyMapping({ ...mapping, assignee }))}
            />
          )}
        </section>
      )}
      {error !== undefined && (
        <p role="alert" className="text-danger-text text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
