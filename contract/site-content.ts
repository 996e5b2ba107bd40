import type { Guide, GuideSummary } from './docs.ts'
import type { PlanOffer } from './plans.ts'

/** What public pages read while the server renders them; each part comes from the feature that has it. */
export interface SiteContent {
  /** The plans that can be chosen; none where the instance has no billing. */
  listPlans(): Promise<readonly PlanOffer[]>
  /** All guides, in reading order. */
  listGuides(): Promise<readonly GuideSummary[]>
  /** A guide, or where it is now; undefined: no guide has ever had this address. */
  readGuide(path: string): Promise<Guide | { readonly movedTo: string } | undefined>
}
