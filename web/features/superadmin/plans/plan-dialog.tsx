import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FieldErrors, type UseFormRegister, useForm } from 'react-hook-form'
import { createPlan, type Plan, updatePlan } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { allPlansQuery } from './all-plans-query.ts'
import { checkAmount, checkLimit, checkPosition, type PlanDraft, readPlanDraft, writePlanDraft } from './plan-draft.ts'

const numbers = [
  { name: 'monthly', label: 'US dollars a month', validate: checkAmount },
  { name: 'yearly', label: 'US dollars a year', validate: checkAmount },
  { name: 'maxProjects', label: 'Projects', hint: 'Empty: unlimited', validate: checkLimit },
  { name: 'maxMembers', label: 'Members', hint: 'Empty: unlimited', validate: checkLimit },
  { name: 'maxItemsPerMonth', label: 'Items a month', hint: 'Empty: unlimited', validate: checkLimit },
  { name: 'position', label: 'Position', hint: 'The lowest comes first', validate: checkPosition },
] as const

/** Creates a plan, or edits one. @param plan undefined: a new one */
export function PlanDialog({ plan, onClose }: { plan: Plan | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm<PlanDraft>({ defaultValues: writePlanDraft(plan) })
  const { errors } = formState
  const saving = useMutation({
    mutationFn: (draft: PlanDraft) => {
      const body = readPlanDraft(draft)
      return plan
        ? call(updatePlan, { params: { planId: plan.id }, body })
        : call(createPlan, { body: { ...body, key: draft.key.trim() } })
    },
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: plan ? 'Plan saved' : 'Plan created' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: allPlansQuery.queryKey })
    },
    onError: (error) =>
      showFieldErrors(error, setError, {
        key: 'key',
        name: 'name',
        forWhom: 'forWhom',
        monthlyCents: 'monthly',
        yearlyCents: 'yearly',
        maxProjects: 'maxProjects',
        maxMembers: 'maxMembers',
        maxItemsPerMonth: 'maxItemsPerMonth',
        position: 'position',
      }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={plan ? `Edit ${plan.name}` : 'New plan'}
      description={plan && 'Subscriptions keep their price. Limits and name change for all.'}
    >
      <form noValidate onSubmit={handleSubmit((draft) => saving.mutate(draft))} className="flex flex-col gap-4">
        <PlanFields register={register} errors={errors} isNew={!plan} />
        <FormEnd
          action={plan ? 'Save plan' : 'Create plan'}
          error={errors.root?.message}
          isPending={saving.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

interface PlanFieldsProps {
  register: UseFormRegister<PlanDraft>
  errors: FieldErrors<PlanDraft>
  /** A plan's key never changes. */
  isNew: boolean
}

function PlanFields({ register, errors, isNew }: PlanFieldsProps) {
  return (
    <>
      <Field label="Name" error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
            autoComplete="off"
            autoFocus
            maxLength={60}
          />
        )}
      </Field>
      {isNew && (
        <Field label="Key" hint="Names the plan in payments. It never changes." error={errors.key?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('key', {
                validate: (key) =>
                  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(key.trim()) || 'Enter lower-case letters, digits and dashes.',
              })}
              autoComplete="off"
              maxLength={60}
            />
          )}
        </Field>
      )}
      <Field label="For whom" aside="optional" error={errors.forWhom?.message}>
        {(control) => <Input {...control} {...register('forWhom')} autoComplete="off" maxLength={200} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        {numbers.map(({ name, label, validate, ...rest }) => (
          <Field key={name} label={label} error={errors[name]?.message} {...rest}>
            {(control) => (
              <Input
                {...control}
                {...register(name, { validate })}
                inputMode={name === 'monthly' || name === 'yearly' ? 'decimal' : 'numeric'}
                autoComplete="off"
              />
            )}
          </Field>
        ))}
      </div>
    </>
  )
}
