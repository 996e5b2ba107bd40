import Type, { type Static } from 'typebox'
import { IssueLink } from '#contract/issue-links.ts'
import { nullable } from '#contract/nullable.ts'
import { Timestamp, Uuid } from '#contract/text.ts'
import { Quotation, quoteAny } from './quote.ts'

const MaybeQuotation = nullable(Quotation)

/** An issue that an item is linked to. Anyone who reaches the tracker may have written its texts. */
export const AgentIssue = Type.Object({
  linkId: Uuid,
  trackerId: Uuid,
  /** `creating`: the tracker was not asked yet. `failed`: it refused, and is asked again. `gone`: the issue was deleted. */
  state: IssueLink.properties.state,
  isDone: Type.Boolean(),
  syncedAt: nullable(Timestamp),
  /** The tracker's short name of the issue, such as acme/web#12. */
  label: MaybeQuotation,
  title: MaybeQuotation,
  url: MaybeQuotation,
  status: MaybeQuotation,
  failure: MaybeQuotation,
})

export function toIssue({
  id,
  integrationId,
  state,
  isDone,
  syncedAt,
  ...texts
}: IssueLink): Static<typeof AgentIssue> {
  return {
    linkId: id,
    trackerId: integrationId,
    ...{ state, isDone, syncedAt },
    label: quoteAny('unknown', texts.label),
    title: quoteAny('unknown', texts.title),
    url: quoteAny('unknown', texts.url),
    status: quoteAny('unknown', texts.status),
    failure: quoteAny('unknown', texts.failure),
  }
}
