import type { PlanOffer } from './plans.ts'

/** What public pages read while the server renders them; each part comes from the feature that has it. */
export interface SiteContent {
  /** The plans that can be chosen; none where the instance has no billing. */
  listPlans(): Promise<readonly PlanOffer[]>
}
