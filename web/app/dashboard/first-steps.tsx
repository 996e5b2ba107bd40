import { Check } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useIdleLoad } from '../../lib/idle-load.ts'
import { useUser } from '../../lib/session.tsx'
import { hasSeenTour, startTour } from '../../lib/start-tour.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cn } from '../../ui/class-names.ts'
import type { FirstStep } from './list-steps.ts'

const loadInviteDialog = () => import('../../features/organizations/invite-dialog.tsx')
// Its form library is larger than the rest of the screen.
const InviteDialog = lazy(async () => ({ default: (await loadInviteDialog()).InviteDialog }))

/** The steps to the first feedback and a team, side by side where there is room. The next one stands out. */
export function FirstSteps({ steps, onPutOff }: { steps: readonly FirstStep[]; onPutOff: () => void }) {
  const [isInviting, setInviting] = useState(false)
  const { user_metadata: metadata } = useUser()
  // The button stays while the tour runs, which gives the focus back to it.
  const [isTourOffered] = useState(() => !hasSeenTour(metadata, 'welcome'))
  useIdleLoad(loadInviteDialog, true)
  const doneCount = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Card aria-labelledby="first-steps">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4">
        <h2 id="first-steps" className="font-semibold text-lg">
          Getting started
        </h2>
        <p className="text-muted text-sm tabular-nums">
          {doneCount} of {steps.length} done
        </p>
        <span className="-mr-2 ml-auto flex">
          {isTourOffered && (
            <Button variant="ghost" size="sm" onClick={() => startTour('welcome')}>
              Take the tour
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={onPutOff}>
            Do later
          </Button>
        </span>
      </div>
      <div
        role="progressbar"
        aria-label="Getting started"
        aria-valuemin={0}
        aria-valuemax={steps.length}
        aria-valuenow={doneCount}
        className="mx-5 mt-3 h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] motion-reduce:transition-none"
          style={{ width: `${(100 * doneCount) / steps.length}%` }}
        />
      </div>
      <ol className={cn('grid gap-2 p-3 sm:grid-cols-2', steps.length === 5 ? 'lg:grid-cols-5' : 'lg:grid-cols-3')}>
        {steps.map((step, index) => (
          <Step
            key={step.title}
            step={step}
            number={index + 1}
            isNext={step === next}
            onOpen={() => setInviting(true)}
          />
        ))}
      </ol>
      <Suspense>{isInviting && <InviteDialog open onOpenChange={setInviting} />}</Suspense>
    </Card>
  )
}

function Step({
  step,
  number,
  isNext,
  onOpen,
}: {
  step: FirstStep
  number: number
  isNext: boolean
  onOpen: () => void
}) {
  const { title, text, isDone, action } = step
  const variant = isNext ? 'primary' : 'secondary'
  return (
    <li
      {...(isNext && { 'aria-current': 'step' as const })}
      className={cn('flex flex-col gap-1.5 rounded-md p-3', isNext && 'bg-accent-soft')}
    >
      <div className="flex items-center gap-2.5">
        <span
          aria-hidden="true"
          className={cn(
            'flex size-6 shrink-0 items-center justify-center rounded-full font-semibold text-sm',
            isDone ? 'bg-accent text-on-accent' : 'text-muted ring-1 ring-border-strong ring-inset',
            isNext && 'text-accent-text ring-accent',
          )}
        >
          {isDone ? <Check className="size-3.5" /> : number}
        </span>
        <h3 className={cn('font-medium text-base', isDone && 'text-muted')}>
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </h3>
      </div>
      {!isDone && <p className={cn('text-sm', isNext ? 'text-foreground' : 'text-muted')}>{text}</p>}
      {!isDone && action && (
        <div className="mt-auto pt-1.5">
          {action.to === undefined ? (
            <Button size="sm" variant={variant} onClick={onOpen}>
              {action.label}
            </Button>
          ) : (
            <Button asChild size="sm" variant={variant}>
              <Link to={action.to}>{action.label}</Link>
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
