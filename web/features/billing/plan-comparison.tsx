import { useId } from 'react'
import type { PlanOffer } from '#contract/plans.ts'
import { describeLimit, formatPrice } from './describe-plan.ts'

const rows: readonly { readonly name: string; readonly read: (plan: PlanOffer) => string }[] = [
  { name: 'Price a month', read: ({ monthlyCents }) => formatPrice(monthlyCents) },
  { name: 'Price a year', read: ({ yearlyCents }) => formatPrice(yearlyCents) },
  { name: 'Projects', read: ({ maxProjects }) => describeLimit(maxProjects) },
  { name: 'Members', read: ({ maxMembers }) => describeLimit(maxMembers) },
  { name: 'Viewers', read: () => describeLimit(null) },
  { name: 'Feedback items a month', read: ({ maxItemsPerMonth }) => describeLimit(maxItemsPerMonth) },
  { name: 'Features', read: () => 'All' },
]

/** The limits of all plans, side by side. */
export function PlanComparison({ plans }: { plans: readonly PlanOffer[] }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-6">
      <h2 id={id} className="font-semibold text-2xl">
        Compare limits
      </h2>
      {/* Many plans are wider than a phone. */}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys too
        tabIndex={0}
        aria-labelledby={id}
        className="overflow-x-auto rounded-lg border border-border bg-surface shadow-sm"
      >
        <table className="w-full border-collapse text-base max-sm:text-sm">
          <thead>
            <tr className="border-border border-b">
              <td className="px-3 py-3 sm:px-5" />
              {plans.map(({ id: planId, name }) => (
                <th key={planId} scope="col" className="px-2 py-3 text-right font-semibold sm:px-5">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {rows.map(({ name, read }) => (
              <tr key={name}>
                <th scope="row" className="px-3 py-3 text-left font-normal text-muted sm:px-5">
                  {name}
                </th>
                {plans.map((plan) => (
                  <td key={plan.id} className="px-2 py-3 text-right tabular-nums sm:px-5">
                    {read(plan)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
