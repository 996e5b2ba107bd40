import { useId } from 'react'
import type { BillingPeriod } from './describe-plan.ts'

interface PeriodChoiceProps {
  /** Undefined: by the month, until the person chooses. */
  period?: BillingPeriod
  /** What a year saves, in words. */
  saving: string | undefined
  onChoose?: (period: BillingPeriod) => void
}

/** Prices by month or by year. */
export function PeriodChoice({ period, saving, onChoose }: PeriodChoiceProps) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap items-center gap-3">
      <legend className="sr-only">Billing period</legend>
      <div className="flex rounded-md border border-border bg-sunken p-0.5">
        {(['month', 'year'] as const).map((value) => (
          <label
            key={value}
            className="cursor-pointer rounded-sm px-3 py-1 font-medium text-base text-muted has-checked:bg-accent-soft has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              value={value}
              {...(period === undefined
                ? { defaultChecked: value === 'month' }
                : { checked: period === value, onChange: () => onChoose?.(value) })}
              className="sr-only"
            />
            {value === 'month' ? 'Monthly' : 'Yearly'}
          </label>
        ))}
      </div>
      {saving !== undefined && <span className="text-muted text-sm">{saving}</span>}
    </fieldset>
  )
}
