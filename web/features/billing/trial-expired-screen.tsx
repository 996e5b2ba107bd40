import { ArrowDownToLine, BookOpen, Lock, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { BillingFrame } from './billing-frame.tsx'
import type { PlanStanding } from './plan-standing.ts'

/** What holds when a trial has ended: nothing is lost, and what to do. */
export function TrialExpiredScreen({ standing }: { standing: PlanStanding }) {
  const { title, lead } = describeStanding(standing)
  const isFree = standing.kind === 'not_needed' || standing.kind === 'on_plan'
  return (
    <BillingFrame title={title} lead={<p>{lead}</p>}>
      {!isFree && (
        <ul className="divide-y divide-border rounded-lg border border-border bg-surface shadow-sm">
          <Point icon={BookOpen} title="Everything is still there">
            Your team can read all feedback that has come in, and everything known about it.
          </Point>
          <Point icon={ArrowDownToLine} title="It stays yours">
            Exporting stays open, for as long as you like.
          </Point>
          <Point icon={Lock} title="Nothing gets lost">
            New feedback is taken and stored. It is locked until a plan is chosen, and opens at that moment.
          </Point>
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {!isFree && (
          <Button asChild>
            <Link to="/plan-selection">See the plans</Link>
          </Button>
        )}
        <Button asChild variant={isFree ? 'primary' : 'secondary'}>
          {standing.kind === 'unknown' ? (
            <Link to="/login">Sign in</Link>
          ) : (
            <Link to="/dashboard">Go to Dashboard</Link>
          )}
        </Button>
      </div>
    </BillingFrame>
  )
}

function describeStanding(standing: PlanStanding): { title: string; lead: string } {
  if (standing.kind === 'not_needed') {
    return {
      title: 'No plan is needed here',
      lead: 'Your organisation runs on an instance of its own: no trial, no limits, every feature.',
    }
  }
  if (standing.kind === 'on_plan') {
    return { title: 'You have a plan', lead: 'The trial is behind you, and everything is open.' }
  }
  if (standing.kind === 'on_trial') {
    return {
      title: 'Your trial is still running',
      lead: `Everything is open until ${formatDay(standing.endsAt)}. This is what holds after it.`,
    }
  }
  return { title: 'Your trial has ended', lead: 'Thank you for trying Earshot. This is what holds from now on.' }
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
