import type { Post, PostSummary } from './blog.ts'
import type { Guide, GuideSummary } from './docs.ts'
import type { PlanOffer } from './plans.ts'

/** Who runs this instance, as far as the settings say so. */
export interface Operator {
  readonly name: string | null
  /** Postal; its lines are separated by line feeds. */
  readonly address: string | null
}

/** A legal text of this instance. */
export interface LegalText {
  /** Safe HTML without the title. */
  readonly html: string
  readonly title: string
  /** Whether it is the product's own template and not a text of the operator. */
  readonly isTemplate: boolean
}

export type LegalTextName = 'privacy' | 'terms'

/** What public pages read while the server renders them; each part comes from the feature that has it. */
export interface SiteContent {
  /** Published posts, the newest first. */
  listPosts(): Promise<readonly PostSummary[]>
  /** A post, or the slug that it has now; undefined: no published post has or had this slug. */
  readPost(slug: string): Promise<Post | { readonly movedTo: string } | undefined>
  /** The plans that can be chosen; none where the instance has no billing. */
  listPlans(): Promise<readonly PlanOffer[]>
  getOperator(): Operator
  readLegalText(name: LegalTextName): Promise<LegalText>
  /** All guides, in reading order. */
  listGuides(): Promise<readonly GuideSummary[]>
  /** A guide, or where it is now; undefined: no guide has ever had this address. */
  readGuide(path: string): Promise<Guide | { readonly movedTo: string } | undefined>
}
