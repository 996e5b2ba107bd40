import type { IntegrationField } from '#contract/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { Textarea } from '#web/ui/textarea.tsx'

type Value = string | boolean | null

interface ConfigFieldProps {
  field: IntegrationField
  /** Null: the stored secret is removed. */
  value: Value
  error: string | undefined
  /** A secret that has a value, which the server keeps to itself. */
  isStored: boolean
  onChange: (value: Value) => void
}

/** One field of a service’s form, drawn from its description. */
export function ConfigField(props: ConfigFieldProps) {
  const { field, value, error, isStored, onChange } = props
  const { label, help, isRequired } = field
  if (field.kind === 'switch') {
    return (
      <SwitchRow
        label={label}
        {...(help !== null && { hint: help })}
        checked={value === true}
        onChange={(checked) => onChange(checked)}
      />
    )
  }
  const isRemoved = isStored && value === null
  const hint = isRemoved ? 'The stored value is deleted when you save.' : help
  return (
    <Field
      label={label}
      {...(hint !== null && { hint })}
      error={error}
      {...(isStored && !isRequired
        ? { aside: <RemovalButton label={label} isRemoved={isRemoved} onChange={onChange} /> }
        : !isRequired && { aside: 'Optional' })}
    >
      {(control) => <Control {...props} control={control} />}
    </Field>
  )
}

function RemovalButton({
  label,
  isRemoved,
  onChange,
}: {
  label: string
  isRemoved: boolean
  onChange: (value: Value) => void
}) {
  return (
    <Button
      variant="link"
      size="sm"
      aria-label={isRemoved ? `Keep stored ${label}` : `Delete stored ${label}`}
      onClick={() => onChange(isRemoved ? '' : null)}
    >
      {isRemoved ? 'Keep' : 'Delete stored'}
    </Button>
  )
}

function Control({
  field: { kind, options, placeholder, isSecret, isRequired },
  value,
  isStored,
  onChange,
  control,
}: ConfigFieldProps & { control: { id: string } }) {
  const shared = {
    ...control,
    value: typeof value === 'string' ? value : '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  }
  if (kind === 'choice') {
    return (
      <Select {...shared}>
        {(!isRequired || shared.value === '') && <option value="">{isRequired ? 'Select' : 'None'}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    )
  }
  const shownPlaceholder = isStored && value !== null ? 'Stored. Enter a new value to replace it.' : placeholder
  const typed = {
    ...shared,
    ...(shownPlaceholder !== null && { placeholder: shownPlaceholder }),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  }
  if (kind === 'lines') return <Textarea {...typed} rows={3} className="font-mono text-sm" />
  if (kind === 'date') return <Input {...shared} type="date" className="w-48" />
  // Not type="password": browsers offer to save it as the sign-in of this site.
  if (isSecret) return <Input {...typed} className="font-mono [-webkit-text-security:disc]" />
  return <Input {...typed} {...(kind === 'url' && { inputMode: 'url' as const })} />
}
