import { ArrowDownToLine, BookOpen, Lock, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import type { Organization } from '#web/lib/organization.tsx'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { BillingFrame } from './billing-frame.tsx'
import { LeaveButton } from './leave-button.tsx'
import type { PlanStanding } from './plan-standing.ts'

interface TrialExpiredScreenProps {
  standing: PlanStanding
  /** Undefined: no one is signed in. */
  organization: Organization | undefined
  /** The way on, and nothing else. */
  isSimple?: boolean
}

/** Shown when a trial or plan has ended: nothing is lost, and how to continue. */
export function TrialExpiredScreen({ standing, organization, isSimple = false }: TrialExpiredScreenProps) {
  const { title, lead } = describeStanding(standing)
  const isMember = organization !== undefined && organization.role !== 'owner'
  const isFree = standing.kind === 'not_needed' || standing.kind === 'on_plan'
  return (
    <BillingFrame title={title} lead={<p>{lead}</p>}>
      {!isFree && !isSimple && (
        <ul className="divide-y divide-border rounded-lg border border-border bg-surface shadow-sm">
          <Point icon={BookOpen} title="Your feedback stays readable">
            Your team can still read all feedback received so far, with its details.
          </Point>
          <Point icon={ArrowDownToLine} title="Exports still work">
            You can export all of it at any time.
          </Point>
          <Point icon={Lock} title="New feedback is stored and locked">
            Nothing is turned away. It is unlocked within seconds after you choose a plan.
          </Point>
        </ul>
      )}
      {!isFree && isSimple && (
        <p className="text-base text-muted">
          Feedback received so far stays readable. New feedback is stored and locked until then.
        </p>
      )}
      {!isFree && isMember && (
        <p className="text-base">
          Ask an owner of <bdi className="font-medium">{organization.name}</bdi> to choose a plan.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {!isFree && (
          <Button asChild>
            <Link to={isSimple ? '/plan-selection/simple' : '/plan-selection'}>See the plans</Link>
          </Button>
        )}
        <LeaveButton standing={standing} isPrimary={isFree} />
      </div>
    </BillingFrame>
  )
}

function describeStanding(standing: PlanStanding): { title: string; lead: string } {
  if (standing.kind === 'not_needed') {
    return {
      title: 'No plan needed',
      lead: 'This is a self-hosted instance: no trial, no limits, every feature.',
    }
  }
  if (standing.kind === 'on_plan') {
    return { title: 'You have a plan', lead: 'Every feature of it is available.' }
  }
  if (standing.kind === 'on_trial') {
    return {
      title: 'Your trial is still running',
      lead: `Every feature is available until ${formatDay(standing.endsAt)}. After that, a plan is needed.`,
    }
  }
  if (standing.kind === 'plan_over') {
    return { title: 'Your plan has ended', lead: 'Choose a plan to continue.' }
  }
  return { title: 'Your trial has ended', lead: 'Thank you for trying Earshot. Choose a plan to continue.' }
}

function Point({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: string }) {
  return (
    <li className="flex gap-4 p-5">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent-text" />
      <div className="flex flex-col gap-0.5 text-base">
        <p className="font-medium">{title}</p>
        <p className="text-muted">{children}</p>
      </div>
    </li>
  )
}
