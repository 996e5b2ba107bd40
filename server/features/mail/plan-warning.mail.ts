import type { PlanLimit } from '#contract/plans.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { formatDay } from './money.ts'
import { type Frame, makeNotes } from './notification.mail.ts'
import { quoteName } from './quote-name.ts'

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

interface Words {
  readonly subject: string
  readonly title: string
  readonly paragraphs: readonly string[]
}

const number = new Intl.NumberFormat('en-GB')
const plans = 'Choose a plan to read it. Nothing is lost.'

/** Warns an owner of a limit that is nearly reached, or of a trial that ends or has ended. */
export function renderPlanWarning(warning: MailedWarning, frame: Frame): RenderedMail {
  const name = quoteName(frame.organizationName)
  const { subject, title, paragraphs } = wordWarning(warning, name)
  return renderMail({
    kind: 'plan_warning',
    subject,
    preview: paragraphs[0] ?? '',
    title,
    paragraphs,
    strong: [name],
    action: { label: 'Compare plans', url: `${frame.appUrl}/plan-selection` },
    notes: makeNotes(frame, 'You get this email because you own this organisation.'),
    appUrl: frame.appUrl,
  })
}

function wordWarning(warning: MailedWarning, name: string): Words {
  const { kind, level, trialEndsAt } = warning
  if (kind === 'trial_ended') {
    return {
      subject: `${name}: your trial has ended`,
      title: 'Your trial has ended',
      paragraphs: [
        `The trial of ${name} has ended. Your team can still read and export all feedback received so far.`,
        `New feedback is stored, but locked. ${plans}`,
      ],
    }
  }
  if (kind === 'trial_expiring') {
    const when = level === 1 ? 'within a day' : `within ${level} days`
    return {
      subject: `${name}: your trial ends ${when}`,
      title: `Your trial ends ${when}`,
      paragraphs: [
        `The trial of ${name} ends on ${trialEndsAt ? formatDay(trialEndsAt) : 'the last day'}.`,
        `After that, new feedback is stored, but locked. ${plans}`,
      ],
    }
  }
  return wordLimit({ ...warning, kind }, name)
}

const limits: Readonly<Record<PlanLimit, { title: string; noun: string; after: string }>> = {
  items: {
    title: 'feedback this month',
    noun: 'feedback items a month',
    after: 'Feedback above the limit is stored, but locked. Choose a larger plan to read it.',
  },
  projects: {
    title: 'projects',
    noun: 'projects',
    after: 'To add projects above the limit, choose a larger plan or archive a project.',
  },
  members: {
    title: 'members',
    noun: 'members',
    after: 'To invite members above the limit, choose a larger plan. Viewers don’t count.',
  },
}

function wordLimit({ kind, level, used, max, planName }: MailedWarning & { kind: PlanLimit }, name: string): Words {
  const { title, noun, after } = limits[kind]
  const state = level >= 100 ? `limit of ${title} reached` : `${level} % of ${title} used`
  return {
    subject: `${name}: ${state}`,
    title: state.charAt(0).toUpperCase() + state.slice(1),
    paragraphs: [
      `${name} uses ${number.format(used ?? 0)} of ${number.format(max ?? 0)} ${noun} of the ${planName ?? 'current'} plan.`,
      after,
    ],
  }
}
