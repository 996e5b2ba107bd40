import type { PlanLimit } from '#contract/plans.ts'
import type { RenderedMail } from './mail-layout.ts'
import { formatDay } from './money.ts'
import type { Frame } from './notification.mail.ts'
import { quoteName } from './quote-name.ts'
import { limits, trialEnded, trialExpiring } from './templates/billing.templates.ts'
import { openTemplate } from './templates/open-template.ts'

/** A warning about a limit or a trial. */
export interface MailedWarning {
  readonly kind: PlanLimit | 'trial_expiring' | 'trial_ended'
  /** Percent of a limit, or days left of a trial. */
  readonly level: number
  readonly used: number | null
  readonly max: number | null
  readonly planName: string | null
  readonly trialEndsAt: Date | null
}

const number = new Intl.NumberFormat('en-GB')

/** Warns an owner of a limit that is nearly reached, or of a trial that ends or has ended. */
export function renderPlanWarning(warning: MailedWarning, frame: Frame): RenderedMail {
  const { kind, level, used, max, planName, trialEndsAt } = warning
  const { appUrl, unsubscribeUrl } = frame
  const organization = quoteName(frame.organizationName)
  const parts = {
    ...{ appUrl, unsubscribeUrl, strong: [organization] },
    action: { url: `${appUrl}/plan-selection` },
  }
  if (kind === 'trial_ended') return openTemplate(trialEnded, appUrl).render({ ...parts, values: { organization } })
  if (kind === 'trial_expiring') {
    const opened = openTemplate(trialExpiring, appUrl)
    const remaining = level === 1 ? opened.say('withinADay') : opened.say('withinDays', { days: String(level) })
    const day = trialEndsAt ? formatDay(trialEndsAt) : opened.say('unknownDay')
    return opened.render({ ...parts, values: { organization, remaining, day } })
  }
  const opened = openTemplate(limits[kind][level >= 100 ? 'reached' : 'near'], appUrl)
  return opened.render({
    ...parts,
    values: {
      ...{ organization, percent: String(level), plan: planName ?? opened.say('unnamedPlan') },
      ...{ used: number.format(used ?? 0), limit: number.format(max ?? 0) },
    },
  })
}
