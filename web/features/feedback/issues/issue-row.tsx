import { Circle, CircleCheck, ExternalLink, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { IssueLink } from '#contract/issue-links.ts'
import { IntegrationMark } from '#web/shared/integration-mark.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { findSafeHref } from '../item/page-link.ts'
import type { Tracker } from './issue-queries.ts'

interface RowProps {
  link: IssueLink
  /** Undefined: it is not known any more. */
  tracker: Tracker | undefined
  /** Undefined: the link can't be removed. */
  onUnlink: (() => void) | undefined
}

/** An issue: its name, which opens it in the tracker, its title and its status there, or why there is none. */
export function IssueRow({ link, tracker, onUnlink }: RowProps) {
  const { state, title, failure } = link
  const trackerName = tracker?.name ?? link.type
  const isWaiting = state === 'creating' && failure === null
  return (
    <li className="flex min-h-15 items-center gap-2.5 px-3 py-2">
      <IntegrationMark
        service={{ type: link.type, name: tracker?.service ?? link.type, category: 'issues' }}
        className="mt-0.5 size-7 self-start text-xs [&_svg]:size-4"
      />
      <div className="min-w-0 flex-1">
        <IssueName link={link} trackerName={trackerName} />
        {/* One line: the skeleton is as high. */}
        <p className="flex min-w-0 items-center gap-1.5 text-muted text-sm">
          <IssueStatus link={link} />
          <bdi className="truncate" title={title ?? undefined}>
            {title ?? trackerName}
          </bdi>
        </p>
        {failure !== null && (
          <p className="mt-0.5 text-danger-text text-sm [overflow-wrap:anywhere]">
            {failure}
            {state !== 'gone' && ' Earshot will try again.'}
          </p>
        )}
      </div>
      {/* An issue that is being created would stay behind without its item. */}
      {onUnlink && !isWaiting && (
        <Tooltip content="Remove link">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Remove link to ${link.label ?? `${trackerName} issue`}`}
            className="-mr-1.5 mt-1 self-start text-muted pointer-coarse:mt-0"
            onClick={onUnlink}
          >
            <X aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
    </li>
  )
}

function IssueName({ link: { state, label, url, failure }, trackerName }: { link: IssueLink; trackerName: string }) {
  if (label === null) {
    if (state === 'failed') return <span className="font-medium">Couldn’t create the issue</span>
    if (failure !== null) return <span className="font-medium">Couldn’t read the issue</span>
    return (
      <output className="flex min-w-0 items-center gap-2 text-muted">
        <Spinner />
        Waiting for {trackerName}…
      </output>
    )
  }
  const href = url === null ? undefined : findSafeHref(url)
  if (href === undefined) return <bdi className="min-w-0 truncate font-medium">{label}</bdi>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="flex min-w-0 items-center gap-1 rounded-sm font-medium text-accent-text underline-offset-4 hover:underline"
    >
      <bdi className="truncate">{label}</bdi>
      <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** The status in the tracker's words; the icon says whether the issue is done. */
function IssueStatus({ link: { state, status, isDone } }: { link: IssueLink }) {
  if (state === 'gone') return <Part className="text-warning-text">Gone</Part>
  if (state !== 'linked' || status === null) return null
  const Icon = isDone ? CircleCheck : Circle
  return (
    <Part className={isDone ? 'text-success-text' : 'text-foreground'}>
      <Icon role="img" aria-label={isDone ? 'Done' : 'Not done'} className="size-3.5 shrink-0" />
      <bdi className="truncate">{status}</bdi>
    </Part>
  )
}

function Part({ className, children }: { className: string; children: ReactNode }) {
  return (
    <>
      <span className={cn('flex max-w-1/2 shrink-0 items-center gap-1', className)}>{children}</span>
      <span aria-hidden="true">·</span>
    </>
  )
}
