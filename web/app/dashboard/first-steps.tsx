import { Check } from 'lucide-react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cn } from '../../ui/class-names.ts'

interface FirstStep {
  title: string
  text: string
  isDone: boolean
  action?: { label: string; to: string }
}

/** Steps until the first feedback. Hidden once all are done. */
export function FirstSteps({ projects }: { projects: readonly Project[] }) {
  const { can } = useOrganization()
  const steps = listSteps(projects, can('manage_projects'))
  const doneCount = steps.filter(({ isDone }) => isDone).length
  if (doneCount === steps.length) return null
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Card aria-labelledby="first-steps">
      <div className="flex items-baseline justify-between gap-4 border-border border-b px-5 py-4">
        <h2 id="first-steps" className="font-semibold text-lg">
          Getting started
        </h2>
        <p className="text-muted text-sm tabular-nums">
          {doneCount} of {steps.length} done
        </p>
      </div>
      <ol>
        {steps.map((step, index) => (
          <Step key={step.title} step={step} number={index + 1} isNext={step === next} />
        ))}
      </ol>
    </Card>
  )
}

function listSteps(projects: readonly Project[], canCreate: boolean): FirstStep[] {
  const [newest] = projects
  const detail = newest ? `/dashboard/projects/${newest.id}` : '/dashboard/projects'
  return [
    {
      title: 'Create a project',
      text: canCreate
        ? 'One per website. It needs a name and a domain.'
        : 'One per website. Ask an owner of your organisation to create it.',
      isDone: projects.length > 0,
      ...(canCreate && { action: { label: 'Create project', to: '/dashboard/projects/new' } }),
    },
    {
      title: 'Install the widget',
      text: 'Copy one line into your page. This step completes when the widget loads there.',
      isDone: projects.some((project) => project.widgetLastLoadedAt !== null || project.feedbackCount > 0),
      ...(newest && { action: { label: 'Show me how', to: detail } }),
    },
    {
      title: 'Receive your first feedback',
      text: 'Open the widget on your page and send a test.',
      isDone: projects.some(({ feedbackCount }) => feedbackCount > 0),
      ...(newest && { action: { label: 'Open the inbox', to: '/dashboard/feedback' } }),
    },
  ]
}

function Step({ step, number, isNext }: { step: FirstStep; number: number; isNext: boolean }) {
  const { title, text, isDone, action } = step
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-border px-5 py-4 [&:not(:last-child)]:border-b">
      <span
        aria-hidden="true"
        className={cn(
          'flex size-7 shrink-0 items-center justify-center rounded-full font-semibold text-sm',
          isDone ? 'bg-accent text-on-accent' : 'text-muted ring-1 ring-border-strong ring-inset',
          isNext && 'text-accent-text ring-accent',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <h3 className={cn('font-medium text-base', isDone && 'text-muted')}>
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </h3>
        {!isDone && <p className="text-muted text-sm">{text}</p>}
      </div>
      {!isDone && action && (
        <Button asChild size="sm" variant={isNext ? 'primary' : 'secondary'}>
          <Link to={action.to}>{action.label}</Link>
        </Button>
      )}
    </li>
  )
}
