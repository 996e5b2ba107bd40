import { useQuery } from '@tanstack/react-query'
import { Layers, Plus } from 'lucide-react'
import { useState } from 'react'
import { exportPlans, type Plan } from '#contract/plans.ts'
import { send } from '#web/lib/api.ts'
import { locale } from '#web/lib/locale.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { CsvExport } from '../csv-export.tsx'
import { formatCents } from '../format-money.ts'
import { ListSkeleton } from '../list-skeleton.tsx'
import { allPlansQuery } from './all-plans-query.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { RetireDialog } from './retire-dialog.tsx'

const number = new Intl.NumberFormat(locale)

/** The plan that a dialog is about; `new`: one to be made. */
type Open = { name: 'edit'; plan: Plan | 'new' } | { name: 'retire'; plan: Plan }

/** What organisations can subscribe to. */
export function PlansScreen() {
  const { data: plans, error, refetch } = useQuery(allPlansQuery)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = (
    <Button onClick={() => setOpen({ name: 'edit', plan: 'new' })}>
      <Plus aria-hidden="true" />
      New plan
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-72 text-base text-muted">
          New limits apply to all who have a plan. A new price applies to new subscriptions.
        </p>
        {plans && plans.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <CsvExport request={() => send(exportPlans, {}, '*/*')} failure="Couldn’t export the plans" className="" />
            {add}
          </div>
        )}
      </div>
      {!plans ? (
        error ? (
          <LoadFailure title="Couldn’t load plans" error={error} onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton label="Loading plans" />
        )
      ) : plans.length === 0 ? (
        <EmptyState icon={<Layers />} title="No plans yet" action={add}>
          Organisations choose a plan when their trial ends.
        </EmptyState>
      ) : (
        <ul
          aria-label="Plans"
          className="mt-4 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
        >
          {plans.map((plan) => (
            <li key={plan.id}>
              <PlanRow
                plan={plan}
                onEdit={() => setOpen({ name: 'edit', plan })}
                onRetire={() => setOpen({ name: 'retire', plan })}
              />
            </li>
          ))}
        </ul>
      )}
      {open?.name === 'edit' && <PlanDialog plan={open.plan === 'new' ? undefined : open.plan} onClose={close} />}
      {open?.name === 'retire' && <RetireDialog plan={open.plan} onClose={close} />}
    </>
  )
}

function PlanRow({ plan, onEdit, onRetire }: { plan: Plan; onEdit: () => void; onRetire: () => void }) {
  const isOffered = plan.retiredAt === null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{plan.name}</span>
          <code className="text-muted text-sm">{plan.key}</code>
          {!isOffered && <Badge>Retired</Badge>}
        </p>
        <p className="text-muted text-sm">{describeLimits(plan)}</p>
      </div>
      <div className="text-sm sm:text-right">
        <p className="tabular-nums">
          {formatCents(plan.monthlyCents, { isShort: true })} a month,{' '}
          {formatCents(plan.yearlyCents, { isShort: true })} a year
        </p>
        <p className="text-muted">
          {plan.organizations === 1 ? '1 organisation' : `${plan.organizations} organisations`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" aria-label={`Edit ${plan.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="secondary"
          size="sm"
          aria-label={`${isOffered ? 'Retire' : 'Offer'} ${plan.name}`}
          onClick={onRetire}
        >
          {isOffered ? 'Retire' : 'Offer again'}
        </Button>
      </div>
    </div>
  )
}

function describeLimits({ maxProjects, maxMembers, maxItemsPerMonth }: Plan): string {
  const of = (max: number | null, noun: string) => `${max === null ? 'unlimited' : number.format(max)} ${noun}`
  const text = `${of(maxProjects, 'projects')}, ${of(maxMembers, 'members')}, ${of(maxItemsPerMonth, 'items a month')}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
