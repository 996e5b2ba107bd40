import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Integration, IntegrationType } from '#contract/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { IssuePreviewPanel } from '../mapping/issue-preview.tsx'
import { MappingEditor } from '../mapping/mapping-editor.tsx'
import { ConfigField } from './config-field.tsx'
import { EventCheckboxes } from './event-checkboxes.tsx'
import { checkDraft, type DraftErrors, type IntegrationDraft, readRefusal } from './integration-draft.ts'
import { RulesEditor } from './rules-editor.tsx'

interface FormProps {
  service: IntegrationType
  /** Undefined: a new one. */
  edited?: Integration
  draft: IntegrationDraft
  onChange: (draft: IntegrationDraft) => void
  onSubmit: () => void
  /** The server's refusal of the last attempt. */
  refusal: Error | null
  isPending: boolean
  submitLabel: string
  /** Beside the button. */
  cancel: ReactNode
}

/** Connects a service or changes a connected one: its fields, the events, and the feedback that they are about. */
export function IntegrationForm(props: FormProps) {
  const { service, edited, draft, onChange, onSubmit, refusal, isPending, submitLabel, cancel } = props
  const form = useRef<HTMLFormElement>(null)
  const [found, setFound] = useState<DraftErrors>({})
  const refused = refusal ? readRefusal(service, refusal) : {}
  const errors = { ...refused, ...found }
  // The refusal of a field is shown there; anything else, such as the service's own reason, at the button.
  const general = refusal && Object.keys(refused).length === 0 ? refusal.message : undefined
  const errorNames = Object.keys(errors).join()
  useEffect(() => {
    if (errorNames !== '') form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errorNames])

  // A tracker gets issues, which follow every change of their items.
  const isTracker = service.direction === 'two_way'
  const submit = () => {
    const next = checkDraft(service, draft, edited)
    setFound(next)
    if (Object.keys(next).length === 0) onSubmit()
  }
  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="divide-y divide-border"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) submit()
      }}
    >
      <SettingsSection title="Connection" description={service.summary}>
        <ConnectionFields {...props} errors={errors} />
      </SettingsSection>
      {!isTracker && (
        <SettingsSection title="Events" description="Select the events to deliver. Each arrives within seconds.">
          <div className="p-5">
            <EventCheckboxes
              selected={draft.events}
              error={errors.events}
              onChange={(events) => onChange({ ...draft, events })}
            />
          </div>
        </SettingsSection>
      )}
      <SettingsSection
        title="Feedback"
        description={
          isTracker
            ? 'New items that match get an issue, if you turn that on above.'
            : 'Deliver events of matching feedback only.'
        }
      >
        <div className="p-5">
          <RulesEditor rules={draft.rules} error={errors.rules} onChange={(rules) => onChange({ ...draft, rules })} />
        </div>
      </SettingsSection>
      {isTracker && edited && <MappingSections {...props} edited={edited} error={errors.mapping} />}
      <div className="flex flex-wrap items-center justify-end gap-3 pt-5">
        {general !== undefined && (
          <p
            role="alert"
            className="w-full rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text [overflow-wrap:anywhere]"
          >
            {general}
          </p>
        )}
        {cancel}
        <Button type="submit" loading={isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** What only a connected tracker has: it is asked for its statuses. */
function MappingSections({
  service,
  edited,
  draft,
  error,
  onChange,
}: FormProps & { edited: Integration; error: string | undefined }) {
  return (
    <>
      <SettingsSection
        title="Mapping"
        description={`Which status feedback and issues have, and what new issues carry to ${service.name}.`}
      >
        <MappingEditor
          service={service}
          integration={edited}
          mapping={draft.mapping}
          error={error}
          onChange={(mapping) => onChange({ ...draft, mapping })}
        />
      </SettingsSection>
      <SettingsSection title="Preview" description="An issue with the mapping above. Nothing is created.">
        <IssuePreviewPanel integration={edited} mapping={draft.mapping} />
      </SettingsSection>
    </>
  )
}

function ConnectionFields({ service, edited, draft, onChange, errors }: FormProps & { errors: DraftErrors }) {
  return (
    <div className="flex flex-col gap-4 p-5">
      <Field label="Name" hint="How your team finds this integration." error={errors.name}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            autoComplete="off"
            maxLength={100}
            value={draft.name}
            onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
          />
        )}
      </Field>
      {service.fields.map((field) => (
        <ConfigField
          key={field.name}
          field={field}
          value={draft.config[field.name] ?? null}
          error={errors[`config.${field.name}`]}
          isStored={edited?.storedSecrets.includes(field.name) === true}
          onChange={(value) => onChange({ ...draft, config: { ...draft.config, [field.name]: value } })}
        />
      ))}
    </div>
  )
}
