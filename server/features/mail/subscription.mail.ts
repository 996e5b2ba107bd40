import type { RenderedMail } from './mail-layout.ts'
import { formatDay, formatMoney } from './money.ts'
import { quoteName } from './quote-name.ts'
import { planCancelled, planChanges, planEnded } from './templates/billing.templates.ts'
import { openTemplate } from './templates/open-template.ts'

/** What happened to the plan of an organisation. */
export type SubscriptionNews =
  | {
      readonly kind: 'started' | 'reactivated' | 'upgraded' | 'downgraded'
      readonly plan: string
      readonly cents: number
      readonly currency: string
      readonly interval: string
      /** Null: not known. */
      readonly renewsAt: Date | null
    }
  | { readonly kind: 'cancelled'; readonly plan: string; readonly endsAt: Date }
  | { readonly kind: 'ended' }

/** Tells an owner that the plan was started, changed, cancelled or has ended. */
export function renderSubscriptionNews(
  news: SubscriptionNews,
  { appUrl, organizationName }: { appUrl: string; organizationName: string },
): RenderedMail {
  const organization = quoteName(organizationName)
  const parts = {
    ...{ appUrl, strong: [organization] },
    action: { url: `${appUrl}${news.kind === 'ended' ? '/plan-selection' : '/dashboard/settings/billing'}` },
  }
  if (news.kind === 'ended') return openTemplate(planEnded, appUrl).render({ ...parts, values: { organization } })
  if (news.kind === 'cancelled') {
    const values = { organization, plan: news.plan, day: formatDay(news.endsAt) }
    return openTemplate(planCancelled, appUrl).render({ ...parts, values })
  }
  const { plan, cents, currency, interval, renewsAt } = news
  return openTemplate(planChanges[news.kind], appUrl).render({
    ...parts,
    values: {
      ...{ organization, plan, interval, price: formatMoney(cents, currency) },
      day: renewsAt === null ? '' : formatDay(renewsAt),
    },
    phrases: { nextInvoice: renewsAt !== null },
  })
}
