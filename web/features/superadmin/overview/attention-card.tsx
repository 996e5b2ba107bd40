import { CircleAlert, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import type { AttentionKind, Overview } from '#contract/superadmin-overview.ts'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { formatCount } from '../format-figures.ts'

interface Trouble {
  readonly words: (count: string, isOne: boolean) => string
  readonly todo: string
  /** Address below the area's own, the first that exists. */
  readonly paths: readonly string[]
}

const troubles: Readonly<Record<AttentionKind, Trouble>> = {
  disk_low: {
    words: () => 'Less than 10 % of the disk is free',
    todo: 'Free space or add some. Exports and imports are refused first, submissions last.',
    paths: ['monitoring'],
  },
  jobs_failed: {
    words: (count, isOne) => (isOne ? '1 job failed permanently' : `${count} jobs failed permanently`),
    todo: 'Read the error, remove the cause, then retry.',
    paths: ['monitoring'],
  },
  emails_failed: {
    words: (count, isOne) =>
      isOne ? '1 email was not delivered in the last 7 days' : `${count} emails were not delivered in the last 7 days`,
    todo: 'Check the mail server and the addresses.',
    paths: ['email-monitoring', 'monitoring'],
  },
  payments_past_due: {
    words: (count, isOne) =>
      isOne ? '1 organisation has a failed payment' : `${count} organisations have failed payments`,
    todo: 'Stripe tries again. Contact the owners if it keeps failing.',
    paths: ['subscriptions?status=past_due'],
  },
  storage_full: {
    words: (count, isOne) =>
      isOne ? '1 organisation has used up its storage' : `${count} organisations have used up their storage`,
    todo: 'New files are refused. Raise the limit, or ask the owners to delete files.',
    paths: ['organizations', 'subscriptions'],
  },
  limits_reached: {
    words: (count, isOne) =>
      isOne ? '1 organisation is over its limit of items' : `${count} organisations are over their limit of items`,
    todo: 'New feedback is stored and locked until the plan changes or the month ends.',
    paths: ['organizations', 'subscriptions'],
  },
  contact_messages: {
    words: (count, isOne) => (isOne ? '1 contact message is unanswered' : `${count} contact messages are unanswered`),
    todo: 'Answer by email, then mark it as answered below.',
    paths: ['#contact-messages'],
  },
}

/** What to do first. @param areas paths of the area's screens that exist */
export function AttentionCard({ attention, areas }: { attention: Overview['attention']; areas: readonly string[] }) {
  return (
    <Card aria-labelledby="attention-title">
      <CardHeader>
        <CardTitle id="attention-title">Needs attention</CardTitle>
      </CardHeader>
      <CardContent>
        {attention.length === 0 ? (
          <p className="flex items-center gap-2 text-base text-muted">
            <CircleCheck aria-hidden="true" className="size-4 text-success-text" />
            Nothing needs attention.
          </p>
        ) : (
          <ul aria-label="Needs attention" className="flex flex-col divide-y divide-border">
            {attention.map(({ kind, count }) => (
              <li key={kind} className="flex items-start gap-3 py-2.5 first:pt-0 last:pb-0">
                <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-text" />
                <div className="min-w-0">
                  <p className="font-medium text-base">
                    <TroubleLink trouble={troubles[kind]} areas={areas}>
                      {troubles[kind].words(formatCount(count), count === 1)}
                    </TroubleLink>
                  </p>
                  <p className="text-base text-muted">{troubles[kind].todo}</p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

function TroubleLink({ trouble, areas, children }: { trouble: Trouble; areas: readonly string[]; children: string }) {
  const path = trouble.paths.find((each) => each.startsWith('#') || areas.includes(each.split('?')[0] ?? ''))
  if (path === undefined) return children
  return (
    <Link
      to={path.startsWith('#') ? path : `/dashboard/superadmin/${path}`}
      className="rounded-sm text-accent-text hover:underline pointer-coarse:inline-block pointer-coarse:py-2"
    >
      {children}
    </Link>
  )
}
