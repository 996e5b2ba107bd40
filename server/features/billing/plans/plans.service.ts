import type { NewPlan, Plan, PlanChange, PlanOffer } from '#contract/plans.ts'
import type { Database } from '#server/platform/database/database.ts'
import { beginDownload, type CsvDownload } from '#server/platform/events/csv-download.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import * as queries from './plans.queries.ts'

export interface Plans {
  /** Plans that can be chosen; none without billing. */
  listOffers(): Promise<PlanOffer[]>
  listAll(): Promise<Plan[]>
  export(): Promise<CsvDownload>
  /** @throws ProductError `plan_key_taken`, `validation_failed` for a blank name. */
  create(plan: NewPlan): Promise<Plan>
  /** @throws ProductError `plan_not_found`, `validation_failed` for a blank name. */
  update(planId: string, change: PlanChange): Promise<Plan>
}

const reason = 'plans belong to no organisation'
/** Anyone may ask: most calls are answered from memory. */
const offersKeptMs = 5_000

export function createPlans(database: Database, { billing }: { billing: boolean }): Plans {
  let known: { readonly offers: Promise<PlanOffer[]>; readonly until: number } | undefined

  function readOffers(): Promise<PlanOffer[]> {
    const now = performance.now()
    if (known && now < known.until) return known.offers
    const offers = database.asSystem(reason, queries.listOffers)
    known = { offers, until: now + offersKeptMs }
    // A failure is not remembered.
    offers.catch(() => {
      known = undefined
    })
    return offers
  }

  return {
    listOffers: async () => (billing ? readOffers() : []),

    listAll: () => database.asSystem(reason, queries.listPlans),

    export: () =>
      beginDownload<never>(database, {
        name: 'Plans',
        file: 'plans',
        filters: {},
        columns,
        // They are few.
        read: async () => ({
          rows: (await database.asSystem(reason, queries.listPlans)).map(toCells),
          next: undefined,
        }),
      }),

    create: async (plan) => {
      const name = checkName(plan.name)
      const created = await database.asSystem(reason, async (tx) => {
        const id = await queries.insertPlan(tx, { ...plan, name })
        return id === undefined ? undefined : queries.findPlan(tx, id)
      })
      if (!created) throw new ProductError('plan_key_taken')
      known = undefined
      return created
    },

    update: async (planId, { name, ...change }) => {
      const checked = { ...change, ...(name !== undefined && { name: checkName(name) }) }
      const changed = await database.asSystem(reason, async (tx) => {
        await queries.changePlan(tx, planId, checked)
        return queries.findPlan(tx, planId)
      })
      if (!changed) throw new ProductError('plan_not_found')
      known = undefined
      return changed
    },
  }
}

const columns = [
  ...['id', 'key', 'name', 'for_whom', 'monthly_cents', 'yearly_cents'],
  ...['max_projects', 'max_members', 'max_items_per_month', 'organizations', 'position', 'retired_at'],
]

function toCells(plan: Plan): Cell[] {
  const { id, key, name, forWhom, monthlyCents, yearlyCents, maxProjects, maxMembers, maxItemsPerMonth } = plan
  const { organizations, position, retiredAt } = plan
  return [
    ...[id, key, name, forWhom, monthlyCents, yearlyCents],
    ...[maxProjects, maxMembers, maxItemsPerMonth, organizations, position, retiredAt],
  ]
}

function checkName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw invalid('body.name', 'must not be blank')
  return name
}
