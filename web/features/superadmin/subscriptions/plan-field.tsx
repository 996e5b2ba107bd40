import { useQuery } from '@tanstack/react-query'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { allPlansQuery } from '../plans/all-plans-query.ts'

/** Selects a plan; retired ones are among them, because customers may have kept theirs. */
export function PlanField({ field, error }: { field: UseFormRegisterReturn; error: string | undefined }) {
  const { data: plans = [], error: failure } = useQuery(allPlansQuery)
  return (
    <Field label="Plan" error={error ?? failure?.message}>
      {(control) => (
        <Select {...control} {...field}>
          <option value="">Select a plan</option>
          {plans.map(({ id, name, retiredAt }) => (
            <option key={id} value={id}>
              {retiredAt === null ? name : `${name} (retired)`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
