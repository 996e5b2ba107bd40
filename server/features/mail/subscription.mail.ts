import { type RenderedMail, renderMail } from './mail-layout.ts'
import { formatDay, formatMoney } from './money.ts'
import { quoteName } from './quote-name.ts'

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

interface Words {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly action: { readonly label: string; readonly path: string }
}

const billing = { label: 'Open billing settings', path: '/dashboard/settings/billing' }

/** Tells an owner that the plan was started, changed, cancelled or has ended. */
export function renderSubscriptionNews(
  news: SubscriptionNews,
  { appUrl, organizationName }: { appUrl: string; organizationName: string },
): RenderedMail {
  const name = quoteName(organizationName)
  const { title, paragraphs, action } = wordNews(news, name)
  return renderMail({
    kind: 'subscription_news',
    subject: `${name}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    preview: paragraphs[0] ?? '',
    title,
    paragraphs,
    strong: [name],
    action: { label: action.label, url: appUrl + action.path },
    notes: ['You get this email because you own this organisation.'],
    appUrl,
  })
}

function wordNews(news: SubscriptionNews, name: string): Words {
  if (news.kind === 'ended') {
    return {
      title: 'Your plan has ended',
      paragraphs: [
        `The plan of ${name} has ended. Your team can still read and export all feedback received so far.`,
        'New feedback is stored, but locked. Choose a plan to read it. Nothing is lost.',
      ],
      action: { label: 'Choose a plan', path: '/plan-selection' },
    }
  }
  if (news.kind === 'cancelled') {
    const until = formatDay(news.endsAt)
    return {
      title: `Your plan ends on ${until}`,
      paragraphs: [
        `The plan ${news.plan} of ${name} was cancelled. You can use it until ${until}, and nothing is charged any more.`,
        'After that, new feedback is stored, but locked. An owner can keep the plan until then.',
      ],
      action: { ...billing, label: 'Keep plan' },
    }
  }
  const { plan, cents, currency, interval, renewsAt } = news
  const price = `${formatMoney(cents, currency)} a ${interval}, before discounts and taxes`
  const next = renewsAt === null ? '' : ` The next invoice follows on ${formatDay(renewsAt)}.`
  const titles = {
    started: `Your plan ${plan} is active`,
    reactivated: `Your plan ${plan} continues`,
    upgraded: `Your plan is now ${plan}`,
    downgraded: `Your plan is now ${plan}`,
  }
  return {
    title: titles[news.kind],
    paragraphs: [`${name} has the plan ${plan} for ${price}.${next}`],
    action: billing,
  }
}
